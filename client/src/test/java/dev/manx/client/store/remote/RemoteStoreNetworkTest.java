/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Logged;
import dev.manx.client.Waiting;
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
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values on a network that delays or drops packets. */
@Timeout(30)
@Tag("slow")
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

  private static final StoreSpec<String, String> SPEC =
      new StoreSpec<>("b", 1 << 20, (key, value) -> 1, Optional.of(new Texts()));

  private final FakeLink link = new FakeLink();
  private final Store<String, String> store =
      RemoteStore.open(SPEC, link, RemoteSettings.standard().withTimeout(Duration.ofMillis(20)));

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
    Waiting.until(() -> threads().isEmpty());
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

  private static Map<String, String> hundred(int from) {
    return IntStream.range(from, from + 100)
        .boxed()
        .collect(Collectors.toMap(i -> "k" + i, i -> "value"));
  }

  /** However many there are in the life of a store. */
  @Test
  void putsThatArriveAfterTheyWereGivenUpDoNotEmptyTheStore() throws Exception {
    put("other", "value");
    for (int from = 0; from <= DoubtfulPuts.MOST; from += 100) {
      link.holdPuts();
      store.putAll(hundred(from)).toCompletableFuture().get(10, TimeUnit.SECONDS);
      link.deliver();
      link.passPuts();
      assertThat(get(List.of("other"))).hasSize(1);
    }
  }

  /** The library tells nothing more about them, but the connection executes commands in order. */
  @Test
  void putsThatWereGivenUpAreSettledByALaterAnswer() throws Exception {
    RemoteSettings polls =
        new RemoteSettings(
            Duration.ofSeconds(10),
            Duration.ofSeconds(10),
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            Duration.ofMillis(1),
            1_024);
    try (Store<String, String> polled = RemoteStore.open(SPEC, link, polls)) {
      polled.putAll(Map.of("other", "value")).toCompletableFuture().get(10, TimeUnit.SECONDS);
      link.givesUpPuts();
      for (int from = 0; from <= DoubtfulPuts.MOST; from += 100) {
        link.holdPuts();
        polled.putAll(hundred(from)).toCompletableFuture().get(10, TimeUnit.SECONDS);
        link.passPuts();
        int before = link.probes();
        assertThat(polled.emptied()).isZero();
        // One may have begun before.
        while (link.probes() < before + 2) {
          LockSupport.parkNanos(100_000);
        }
        assertThat(polled.getAll(List.of("other")).toCompletableFuture().get(10, TimeUnit.SECONDS))
            .hasSize(1);
      }
    }
  }

  @Test
  void aStoreThatIsEmptiedIsLogged() throws Exception {
    link.holdPuts();
    String logged =
        Logged.during(
            () -> {
              for (int from = 0; from <= DoubtfulPuts.MOST; from += 100) {
                store.putAll(hundred(from)).toCompletableFuture().get(10, TimeUnit.SECONDS);
                // An answer: three failures in a row would make it unreachable.
                get(List.of("other"));
              }
            });
    assertThat(logged).contains("the store of backend b is emptied");
    assertThat(store.emptied()).isEqualTo(1);
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
