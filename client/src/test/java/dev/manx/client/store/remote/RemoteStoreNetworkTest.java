/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.Codec;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values on a network that delays or drops packets. */
@Timeout(30)
class RemoteStoreNetworkTest {
  /** Passes texts unchanged. */
  private static final class Texts implements Codec<String, String> {
    @Override
    public String key(String key) {
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
  }

  private final FakeLink link = new FakeLink();
  private final Store<String, String> store =
      RemoteStore.open(
          new StoreSpec<>("b", 1 << 20, (key, value) -> 1, Optional.of(new Texts())),
          link,
          RemoteSettings.standard().withTimeout(Duration.ofMillis(20)));

  @AfterEach
  void close() throws Exception {
    store.close();
  }

  private void put(String key, String value) throws Exception {
    store.putAll(Map.of(key, value)).toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private void invalidate(List<String> keys) throws Exception {
    store.invalidateAll(keys).toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  private Map<String, String> get(List<String> keys) throws Exception {
    return store.getAll(keys).toCompletableFuture().get(10, TimeUnit.SECONDS);
  }

  @Test
  void aPutThatArrivesAfterItWasGivenUpIsNotFoundOnceItsKeyWasInvalidated() throws Exception {
    link.holdPuts();
    put("k", "old");
    invalidate(List.of("k"));
    link.deliver();
    assertThat(get(List.of("k"))).isEmpty();
    link.passPuts();
    put("k", "new");
    assertThat(get(List.of("k"))).containsExactly(Map.entry("k", "new"));
    link.deliver();
    assertThat(get(List.of("k"))).containsExactly(Map.entry("k", "new"));
  }

  @Test
  void aPutThatArrivesAfterItWasGivenUpDoesNotReplaceALaterOne() throws Exception {
    link.holdPuts();
    put("k", "old");
    link.passPuts();
    put("k", "new");
    link.deliver();
    assertThat(get(List.of("k"))).containsExactly(Map.entry("k", "new"));
  }

  @Test
  void theirThreadsEndWithTheLastStore() throws Exception {
    link.holdPuts();
    put("k", "times out");
    assertThat(threads()).isNotEmpty();
    store.close();
    while (!threads().isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    assertThat(get(List.of("k"))).isEmpty();
  }

  private static List<Thread> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("manx-store"))
        .toList();
  }

  @Test
  void aPutThatIsStillOnItsWayIsNotFoundOnceItsKeyWasInvalidated() throws Exception {
    link.holdPuts();
    var unused = store.putAll(Map.of("k", "old"));
    invalidate(List.of("k"));
    link.deliver();
    assertThat(get(List.of("k"))).isEmpty();
  }

  @Test
  void whereTooManyPutsAreGivenUpTheStoreBeginsAnew() throws Exception {
    put("other", "value");
    link.holdPuts();
    Map<String, String> many = new HashMap<>();
    for (int i = 0; i <= DoubtfulPuts.MOST; i++) {
      many.put("k" + i, "old");
    }
    store.putAll(many).toCompletableFuture().get(10, TimeUnit.SECONDS);
    link.deliver();
    assertThat(get(List.of("k0", "other"))).isEmpty();
  }

  @Test
  void invalidationsThatWereNotConfirmedAreConfirmedPieceByPiece() throws Exception {
    List<String> keys = IntStream.range(0, 300).mapToObj(i -> "k" + i).toList();
    put("k7", "old");
    // A server so far away that a client that deletes keys one by one completes only some.
    link.deletesAtMost(100);
    invalidate(keys);
    assertThat(get(List.of("k7"))).as("not confirmed").isEmpty();
    while (get(List.of("k7")).isEmpty()) {
      put("k7", "new");
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(get(List.of("k7"))).containsExactly(Map.entry("k7", "new"));
  }
}
