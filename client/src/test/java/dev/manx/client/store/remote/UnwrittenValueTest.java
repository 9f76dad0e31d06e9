/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Logged;
import dev.manx.client.store.Codec;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A value that the codec cannot write, for example after a refresh. */
@Timeout(60)
class UnwrittenValueTest {
  private static final RemoteSettings SETTINGS =
      RemoteSettings.standard().withTimeout(Duration.ofSeconds(20));

  private static final Codec<Integer, String> BYTES =
      new Codec<>() {
        @Override
        public String key(Integer key) {
          if (key < 0) {
            throw new IllegalArgumentException("no text for " + key);
          }
          return key == 0 ? "" : key.toString();
        }

        @Override
        public byte[] encode(String value) {
          if (value.equals("bad")) {
            throw new IllegalStateException(value);
          }
          return value.getBytes(StandardCharsets.UTF_8);
        }

        @Override
        public String decode(Integer key, byte[] bytes) {
          return new String(bytes, StandardCharsets.UTF_8);
        }
      };

  @Test
  void isAMissThoughThereIsAnEarlierOne() {
    StoreSpec<Integer, String> spec =
        new StoreSpec<>("songs", 1 << 20, (key, value) -> 1, Optional.of(BYTES));
    try (Store<Integer, String> store = RemoteStore.open(spec, new FakeLink(), SETTINGS)) {
      store.putAll(Map.of(1, "old", 2, "old")).toCompletableFuture().join();
      store.putAll(Map.of(1, "bad", 2, "new")).toCompletableFuture().join();
      assertThat(store.getAll(List.of(1, 2)).toCompletableFuture().join())
          .isEqualTo(Map.of(2, "new"));
      assertThat(store.failures()).isEqualTo(1);
    }
  }

  /** Unlike other failures of the store, an operator can mend this one. */
  @Test
  void oneThatIsTooLargeForTheServerIsCountedAsSuch() {
    StoreSpec<Integer, String> spec =
        new StoreSpec<>("songs", 1 << 20, (key, value) -> 1, Optional.of(BYTES));
    try (Store<Integer, String> store = RemoteStore.open(spec, new FakeLink(), SETTINGS)) {
      String large = "v".repeat((1 << 10) + 1);
      store.putAll(Map.of(1, large, 2, "bad", 3, "new")).toCompletableFuture().join();
      assertThat(store.getAll(List.of(1, 2, 3)).toCompletableFuture().join())
          .isEqualTo(Map.of(3, "new"));
      assertThat(store.tooLarge()).isEqualTo(1);
      assertThat(store.failures()).isEqualTo(2);
    }
  }

  @Test
  void whyIsLoggedButNotEachTime() {
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    StoreSpec<Integer, String> spec =
        new StoreSpec<>("songs", 1 << 20, (key, value) -> 1, Optional.of(BYTES));
    try (Store<Integer, String> store = RemoteStore.open(spec, new FakeLink(), SETTINGS)) {
      store.putAll(Map.of(1, "bad", 2, "bad")).toCompletableFuture().join();
      assertThat(store.failures()).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(logged.toString(StandardCharsets.UTF_8))
        .containsOnlyOnce("the codec of backend songs cannot write a value")
        .containsOnlyOnce("IllegalStateException: bad");
  }

  /** Earlier the codec had a text for the key, under which there is a value. */
  @Test
  void anInvalidatedKeyForWhichTheCodecThrowsEmptiesTheStore() throws Exception {
    boolean[] throwing = {false};
    Codec<Integer, String> moody =
        new Codec<>() {
          @Override
          public String key(Integer key) {
            if (throwing[0]) {
              throw new IllegalStateException("asked to fail");
            }
            return BYTES.key(key);
          }

          @Override
          public byte[] encode(String value) {
            return BYTES.encode(value);
          }

          @Override
          public String decode(Integer key, byte[] bytes) {
            return BYTES.decode(key, bytes);
          }
        };
    StoreSpec<Integer, String> spec =
        new StoreSpec<>("songs", 1 << 20, (key, value) -> 1, Optional.of(moody));
    try (Store<Integer, String> store = RemoteStore.open(spec, new FakeLink(), SETTINGS)) {
      store.putAll(Map.of(1, "old")).toCompletableFuture().join();
      throwing[0] = true;
      String logged =
          Logged.during(() -> store.invalidateAll(List.of(1)).toCompletableFuture().join());
      assertThat(logged).contains("is emptied: its codec threw", "IllegalStateException");
      throwing[0] = false;
      assertThat(store.getAll(List.of(1)).toCompletableFuture().join()).isEmpty();
      store.invalidateAll(List.of(0)).toCompletableFuture().join();
      assertThat(store.emptied()).as("a key with no text was never stored").isEqualTo(1);
    }
  }

  @Test
  void whyAKeyHasNoTextIsLoggedToo() throws Exception {
    StoreSpec<Integer, String> spec =
        new StoreSpec<>("songs", 1 << 20, (key, value) -> 1, Optional.of(BYTES));
    try (Store<Integer, String> store = RemoteStore.open(spec, new FakeLink(), SETTINGS)) {
      String logged =
          Logged.during(
              () -> assertThat(store.getAll(List.of(-1)).toCompletableFuture().join()).isEmpty());
      assertThat(logged)
          .containsOnlyOnce("the codec of backend songs has no text for a key")
          .contains("IllegalArgumentException: no text for -1");
    }
  }
}
