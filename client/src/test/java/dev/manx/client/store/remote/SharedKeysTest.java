/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.Codec;
import dev.manx.client.store.SharedStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Keys of backends that share one remote store. */
@Timeout(30)
class SharedKeysTest {
  private static final Codec<String, String> TEXTS =
      new Codec<>() {
        @Override
        public String key(String key) {
          if (key.equals("throws")) {
            throw new IllegalStateException("asked to fail");
          }
          return key;
        }

        @Override
        public byte[] encode(String value) {
          return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(String key, byte[] bytes) {
          return new String(bytes, StandardCharsets.UTF_8);
        }
      };

  private final FakeLink link = new FakeLink();
  private final SharedStore shared =
      new SharedStore(
          new StoreFactory() {
            @Override
            public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
              return RemoteStore.open(
                  spec, link, RemoteSettings.standard().withTimeout(Duration.ofSeconds(20)));
            }
          },
          1 << 20);

  private static Map<String, String> get(Store<String, String> store, String key) throws Exception {
    return store.getAll(List.of(key)).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private static void put(Store<String, String> store, String key, String value) throws Exception {
    store.putAll(Map.of(key, value)).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  private Store<String, String> view(String backend) {
    return shared.view(new StoreSpec<>(backend, 0, (k, v) -> 1, Optional.of(TEXTS)));
  }

  @Test
  void mayBeAsLongAsThoseOfABackendWithItsOwnStore() throws Exception {
    Store<String, String> one = view("songs");
    Store<String, String> two = view("users");
    for (int length = 100; length <= 200; length++) {
      String key = "k".repeat(length);
      put(one, key, "one " + length);
      put(two, key, "two " + length);
    }
    for (int length = 100; length <= 200; length++) {
      String key = "k".repeat(length);
      assertThat(get(one, key)).containsExactly(Map.entry(key, "one " + length));
      assertThat(get(two, key)).containsExactly(Map.entry(key, "two " + length));
    }
    assertThat(link.longestKey()).isLessThanOrEqualTo(250);
    shared.close();
  }

  /** Else one backend's codec would make every query of all others a miss. */
  @Test
  void ofWhichOneIsInvalidatedWithoutATextDropOnlyThoseOfItsBackend() throws Exception {
    Store<String, String> one = view("songs");
    Store<String, String> two = view("users");
    put(one, "a", "song");
    put(two, "a", "user");
    long failures = shared.stats().failures();
    one.invalidateAll(List.of("b", "throws")).toCompletableFuture().get(20, TimeUnit.SECONDS);
    assertThat(get(one, "a")).isEmpty();
    assertThat(get(two, "a")).containsExactly(Map.entry("a", "user"));
    assertThat(shared.stats().emptied()).isEqualTo(1);
    assertThat(shared.stats().failures()).isEqualTo(failures + 1);
    shared.close();
  }

  @Test
  void mayNotBeLonger() throws Exception {
    Store<String, String> store = view("songs");
    for (String key : List.of("k".repeat(201), "", "a b")) {
      put(store, key, "value");
      assertThat(get(store, key)).isEmpty();
    }
    assertThat(link.longestKey()).isZero();
    shared.close();
  }
}
