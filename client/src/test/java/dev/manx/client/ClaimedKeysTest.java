/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A query that has claimed keys, before its load begins. */
@Timeout(60)
class ClaimedKeysTest {
  private final ExecutorService network = Executors.newSingleThreadExecutor();
  private final AtomicReference<Runnable> atLastKey = new AtomicReference<>(() -> {});
  private FanoutCache cache;

  @AfterEach
  void close() {
    cache.close();
    network.shutdownNow();
  }

  /** A key; something happens while that of number 3 is hashed. */
  private final class Key {
    private final int number;

    Key(int number) {
      this.number = number;
    }

    @Override
    public int hashCode() {
      if (number == 3) {
        atLastKey.get().run();
      }
      return number;
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Key key && number == key.number;
    }
  }

  /**
   * The load of another key of the query fails after the query has claimed this one: the query's
   * callbacks then run before its own load begins.
   */
  @Test
  void aCallbackThatWaitsForAClaimedKeyWaitsNoLongerThanTheTimeOut() throws Exception {
    cache = FanoutCache.builder().drivenByHost().stores(Elsewhere.factory(network)).open();
    AtomicReference<CompletableFuture<Map<Key, String>>> first = new AtomicReference<>();
    Backend<Key, String> backend =
        cache.add(
            BackendSpec.<Key, String>of(
                    "songs",
                    (key, value) -> 10,
                    keys -> {
                      CompletableFuture<Map<Key, String>> answer = new CompletableFuture<>();
                      first.compareAndSet(null, answer);
                      return answer;
                    })
                .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofSeconds(2))));
    CompletableFuture<String> ofOther = cache.request().queryOne(backend, new Key(1));
    while (first.get() == null) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
    atLastKey.set(
        () -> {
          // Key 1 by the first query, key 2 by the second.
          if (backend.loads().keysInFlight() == 2) {
            atLastKey.set(() -> {});
            first.get().completeExceptionally(new IllegalStateException("down"));
            assertThat(ofOther).failsWithin(Duration.ofSeconds(20));
          }
        });
    CompletableFuture<String> inCallback =
        cache
            .request()
            .query(backend, List.of(new Key(2), new Key(1), new Key(3)))
            .handle((found, why) -> cache.request().queryOne(backend, new Key(2)).join());
    assertThatThrownBy(() -> ofOther.get(20, TimeUnit.SECONDS))
        .hasCauseInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> inCallback.get(20, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(TimeoutException.class);
    assertThat(backend.loads().keysInFlight()).isZero();
  }
}
