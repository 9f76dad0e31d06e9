/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.control.StatisticsExchange;
import dev.manx.client.exchange.StatisticsClient;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.level.FakeLevel;
import dev.manx.client.level.LevelLink;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.ResizeRefusedException;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cache or backend that cannot be made keeps nothing open of what it was given. */
@Timeout(60)
class OpeningFailureTest {
  private final List<String> closed = new CopyOnWriteArrayList<>();

  private final InvalidationChannel failing =
      new InvalidationChannel() {
        @Override
        public void open(Listener listener) {
          throw new IllegalStateException("asked to fail");
        }

        @Override
        public CompletionStage<Void> publish(byte[] message) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public void close() {
          closed.add("channel");
        }
      };

  private LevelLink link() {
    LevelLink link = new FakeLevel().link();
    return (LevelLink)
        Proxy.newProxyInstance(
            LevelLink.class.getClassLoader(),
            new Class<?>[] {LevelLink.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("close")) {
                closed.add("second level");
              }
              try {
                return method.invoke(link, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** Rejects every size; the first question for its own one fails. */
  private static final class Rigid<K, V> implements LocalStore<K, V> {
    private final AtomicBoolean fails;

    Rigid(AtomicBoolean fails) {
      this.fails = fails;
    }

    @Override
    public V get(K key) {
      return null;
    }

    @Override
    public void put(K key, V value) {}

    @Override
    public void invalidate(K key) {}

    @Override
    public CompletionStage<Void> clear() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<Long> resize(long bytes) {
      return CompletableFuture.failedFuture(new ResizeRefusedException("asked to refuse", null));
    }

    @Override
    public long allocatedBytes() {
      if (fails.getAndSet(false)) {
        throw new NoClassDefFoundError("asked to fail");
      }
      return 1 << 20;
    }

    @Override
    public long usedBytes() {
      return 0;
    }

    @Override
    public void close() {}
  }

  @Test
  void aBackendThatCouldNotBeAddedLeavesNoShare() {
    AtomicBoolean fails = new AtomicBoolean(true);
    StoreFactory stores =
        new StoreFactory() {
          @Override
          public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
            return new Rigid<>(fails);
          }
        };
    BackendSpec<Integer, String> songs = BackendSpec.of("songs", (k, v) -> 1, new Scripted());
    try (FanoutCache cache = FanoutCache.builder().stores(stores).drivenByHost().open()) {
      assertThatThrownBy(() -> cache.add(songs)).isInstanceOf(NoClassDefFoundError.class);
      assertThat(cache.add(songs).stats().allocatedBytes()).isEqualTo(1 << 20);
      assertThat(cache.backendStats()).containsOnlyKeys("songs");
    }
  }

  @Test
  void aSecondCacheCannotHaveTheSecondLevelOfTheFirst() {
    FanoutCacheBuilder builder =
        FanoutCache.builder()
            .secondLevel(new SecondLevel(link(), LevelSettings.of("shop")))
            .drivenByHost();
    try (FanoutCache first = builder.open()) {
      assertThatThrownBy(builder::open).isInstanceOf(IllegalStateException.class);
      assertThat(closed).isEmpty();
      builder.secondLevel(new SecondLevel(link(), LevelSettings.of("shop"))).open().close();
      assertThat(closed).containsExactly("second level");
    }
  }

  /** The statistics server sends each window to a client once: each cache would see only a part. */
  @Test
  void aSecondCacheCannotHaveTheStatisticsClientOfTheFirst() {
    URI server = URI.create("http://127.0.0.1:9");
    FanoutCacheBuilder builder =
        FanoutCache.builder()
            .exchange(new StatisticsClient(server, null, Duration.ofMillis(50)))
            .drivenByHost();
    try (FanoutCache first = builder.open()) {
      assertThatThrownBy(builder::open)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("statistics client");
      try (FanoutCache other = builder.exchange(StatisticsExchange.inProcess()).open()) {
        assertThat(other.stats().requests()).isEqualTo(first.stats().requests());
      }
    }
  }

  @Test
  void aChannelThatFailsClosesTheSecondLevel() {
    FanoutCacheBuilder builder =
        FanoutCache.builder()
            .secondLevel(new SecondLevel(link(), LevelSettings.of("shop")))
            .invalidations(failing)
            .drivenByHost();
    assertThatThrownBy(builder::open).hasMessage("asked to fail");
    assertThat(closed).containsExactlyInAnyOrder("channel", "second level");
  }
}
