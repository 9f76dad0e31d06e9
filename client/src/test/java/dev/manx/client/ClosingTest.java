/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import dev.manx.shares.WindowStatistics;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Parts of the application that fail on close, and what closing waits for. */
@Timeout(60)
class ClosingTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();

  private final StoreFactory stores =
      new StoreFactory() {
        @Override
        public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
          return failing(spec.backend(), LruStore.factory().open(spec));
        }
      };

  @SuppressWarnings("unchecked")
  private <K, V> Store<K, V> failing(String backend, Store<K, V> store) {
    return (Store<K, V>)
        Proxy.newProxyInstance(
            LocalStore.class.getClassLoader(),
            new Class<?>[] {LocalStore.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                closed.add(backend);
                throw new AssertionError("asked to fail");
              }
              return method.invoke(store, arguments);
            });
  }

  private static Backend<Integer, String> add(FanoutCache cache, String name) {
    return cache.add(
        BackendSpec.<Integer, String>of(name, (k, v) -> 1, new Scripted())
            .with(ScriptedCache.PATIENT));
  }

  @Test
  void aBackendWhoseStoreFailsIsRemovedAllTheSame() {
    try (FanoutCache cache = FanoutCache.builder().stores(stores).drivenByHost().open()) {
      Backend<Integer, String> first = add(cache, "first");
      Backend<Integer, String> second = add(cache, "second");
      long half = second.stats().allocatedBytes();
      cache.remove(first);
      assertThat(closed).containsExactly("first");
      assertThat(cache.backendStats()).containsOnlyKeys("second");
      cache.tick();
      assertThat(second.stats().allocatedBytes()).isGreaterThan(half);
      assertThat(add(cache, "first").isOpen()).isTrue();
    }
  }

  @Test
  void aCacheClosesEverythingThoughPartsOfItFail() {
    StatisticsExchange exchange =
        new StatisticsExchange() {
          @Override
          public Optional<Merged> exchange(long nowNanos, WindowStatistics own) {
            return Optional.empty();
          }

          @Override
          public void close() {
            closed.add("exchange");
            throw new IllegalStateException("asked to fail");
          }
        };
    FanoutCache cache =
        FanoutCache.builder().stores(stores).exchange(exchange).drivenByHost().open();
    Backend<Integer, String> first = add(cache, "first");
    Backend<Integer, String> second = add(cache, "second");
    CompletableFuture<String> waits = cache.request().queryOne(first, 1);
    cache.close();
    assertThat(closed).containsExactlyInAnyOrder("exchange", "first", "second");
    assertThat(second.isOpen()).isFalse();
    // The timer has stopped it.
    assertThat(waits)
        .failsWithin(Duration.ofSeconds(20))
        .withThrowableOfType(ExecutionException.class)
        .withMessageContaining("the cache was closed before backend first answered");
  }

  /** A channel that completes its farewell when a test says so. */
  private static final class Slow implements InvalidationChannel {
    private static final byte FAREWELL = 3;

    private final CountDownLatch left = new CountDownLatch(1);
    private final CompletableFuture<Void> accepted = new CompletableFuture<>();

    @Override
    public void open(Listener listener) {}

    @Override
    public CompletionStage<Void> publish(byte[] message) {
      // Behind the format.
      if (message[1] != FAREWELL) {
        return CompletableFuture.completedFuture(null);
      }
      left.countDown();
      return accepted;
    }

    @Override
    public void close() {}
  }

  /** Otherwise the process may end before, and the other servers take it for lost. */
  @Test
  void aCacheIsClosedOnceTheOtherServersHaveItsFarewell() throws Exception {
    boolean waited = false;
    // Again if the wait had ended before it was seen.
    while (!waited) {
      Slow channel = new Slow();
      FanoutCache cache = FanoutCache.builder().invalidations(channel).drivenByHost().open();
      Thread closing = new Thread(cache::close);
      closing.start();
      channel.left.await();
      while (closing.isAlive() && !waited) {
        waited = waitsForAFuture(closing);
      }
      channel.accepted.complete(null);
      closing.join();
    }
  }

  private static boolean waitsForAFuture(Thread thread) {
    return thread.getState() == Thread.State.WAITING
        && Stream.of(thread.getStackTrace())
            .anyMatch(frame -> frame.getClassName().equals(CompletableFuture.class.getName()));
  }

  @Test
  void aFarewellThatIsNeverAcceptedDoesNotHoldUpTheEnd() throws Exception {
    Slow channel = new Slow();
    FanoutCache.builder().invalidations(channel).drivenByHost().open().close();
    assertThat(channel.left.getCount()).isZero();
  }
}
