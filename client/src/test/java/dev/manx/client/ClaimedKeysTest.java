/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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
    Waiting.until(() -> first.get() != null);
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

  /** A key; something happens while it is compared with a claimed one. */
  private record Compared(int number, Runnable whileClaimed) {
    private static boolean claims() {
      return StackWalker.getInstance()
          .walk(
              frames ->
                  frames.anyMatch(
                      frame ->
                          frame.getClassName().equals(Owners.class.getName())
                              && frame.getMethodName().equals("claim")));
    }

    @Override
    public int hashCode() {
      return number;
    }

    @Override
    public boolean equals(Object other) {
      boolean same = other instanceof Compared key && number == key.number;
      if (same && claims()) {
        whileClaimed.run();
      }
      return same;
    }
  }

  /** The refresh cannot know that its failure is a query's. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aQueryThatJoinsARefreshWhileItFailsHasItsExpiredValue(boolean local) throws Exception {
    ManualClock clock = new ManualClock();
    FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost().clock(clock);
    cache = (local ? builder : builder.stores(Elsewhere.factory(Runnable::run))).open();
    BlockingQueue<CompletableFuture<Map<Compared, String>>> calls = new LinkedBlockingQueue<>();
    Backend<Compared, String> backend =
        cache.add(
            BackendSpec.<Compared, String>of(
                    "songs",
                    (key, value) -> 10,
                    keys -> {
                      CompletableFuture<Map<Compared, String>> answer = new CompletableFuture<>();
                      calls.add(answer);
                      return answer;
                    })
                .with(
                    AgingCache.with(
                        AgingCache.MINUTE
                            .withRefreshAfter(Duration.ofSeconds(20))
                            .withStaleIfError(Duration.ofMinutes(10)))));
    Compared plain = new Compared(1, () -> {});
    backend.put(plain, "old").toCompletableFuture().get(20, TimeUnit.SECONDS);
    clock.pass(Duration.ofSeconds(20));
    assertThat(cache.request().queryOne(backend, plain)).isCompletedWithValue("old");
    CompletableFuture<Map<Compared, String>> refresh = calls.poll(20, TimeUnit.SECONDS);
    Waiting.until(() -> refresh.getNumberOfDependents() > 0);
    clock.pass(Duration.ofMinutes(1));
    IllegalStateException down = new IllegalStateException("down");
    Compared joins = new Compared(1, () -> refresh.completeExceptionally(down));
    CompletableFuture<String> joined = cache.request().queryOne(backend, joins);
    assertThat(refresh).isCompletedExceptionally();
    if (!joined.isDone()) {
      calls.poll(20, TimeUnit.SECONDS).completeExceptionally(down);
    }
    assertThat(joined.get(20, TimeUnit.SECONDS)).isEqualTo("old");
  }
}
