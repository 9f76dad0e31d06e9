/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.invalidation.KeyText;
import dev.manx.client.store.LocalStore;
import dev.manx.client.store.Sizers;
import dev.manx.client.store.Store;
import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.StoreSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stores that break their contract: the application still gets its answers. */
class FaultyStoreTest {
  /** The faults of a store. */
  enum Fault {
    LOCAL_THROWS,
    REMOTE_THROWS,
    REMOTE_FAILS,
    REMOTE_ANSWERS_NULL,
    REMOTE_HANGS
  }

  private static RuntimeException broken() {
    return new IllegalStateException("asked to fail");
  }

  private static class Remote<K, V> implements Store<K, V> {
    private final Fault fault;

    Remote(Fault fault) {
      this.fault = fault;
    }

    private <T> CompletionStage<T> answer() {
      return switch (fault) {
        case REMOTE_HANGS -> new CompletableFuture<>();
        case REMOTE_FAILS -> CompletableFuture.failedFuture(broken());
        case REMOTE_ANSWERS_NULL -> CompletableFuture.completedFuture(null);
        default -> throw broken();
      };
    }

    @Override
    public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
      return answer();
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
      return answer();
    }

    @Override
    public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
      return answer();
    }

    @Override
    public CompletionStage<Void> clear() {
      return answer();
    }

    @Override
    public CompletionStage<Long> resize(long bytes) {
      return CompletableFuture.failedFuture(broken());
    }

    @Override
    public long allocatedBytes() {
      return 0;
    }

    @Override
    public long usedBytes() {
      return 0;
    }

    @Override
    public void close() {}
  }

  private static final class Local<K, V> extends Remote<K, V> implements LocalStore<K, V> {
    Local() {
      super(Fault.LOCAL_THROWS);
    }

    @Override
    public V get(K key) {
      throw broken();
    }

    @Override
    public void put(K key, V value) {
      throw broken();
    }

    @Override
    public void invalidate(K key) {
      throw broken();
    }

    @Override
    public CompletionStage<Map<K, V>> getAll(Collection<? extends K> keys) {
      throw broken();
    }

    @Override
    public CompletionStage<Void> putAll(Map<? extends K, ? extends V> entries) {
      throw broken();
    }

    @Override
    public CompletionStage<Void> invalidateAll(Collection<? extends K> keys) {
      throw broken();
    }
  }

  @ParameterizedTest
  @EnumSource(Fault.class)
  void meansMisses(Fault fault) throws Exception {
    StoreFactory stores =
        new StoreFactory() {
          @Override
          public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
            return fault == Fault.LOCAL_THROWS ? new Local<>() : new Remote<>(fault);
          }
        };
    try (FanoutCache cache = FanoutCache.builder().stores(stores).drivenByHost().open()) {
      AtomicInteger calls = new AtomicInteger();
      Loader<Integer, String> songs =
          keys -> {
            calls.incrementAndGet();
            return CompletableFuture.completedFuture(Map.of(1, "v1", 2, "v2"));
          };
      Backend<Integer, String> backend =
          cache.add(
              BackendSpec.of("songs", Sizers.of(Sizers::number, Sizers::text), songs)
                  .with(BackendSettings.DEFAULTS.withTimeOut(Duration.ofSeconds(1))));
      for (int i = 0; i < 3; i++) {
        try (FanoutRequest request = cache.request()) {
          assertThat(request.query(backend, List.of(1, 2)).get(20, TimeUnit.SECONDS))
              .isEqualTo(Map.of(1, "v1", 2, "v2"));
        }
        assertThat(backend.invalidate(List.of(1))).isNotNull();
        cache.tick();
      }
      assertThat(calls).hasValue(3);
      assertThat(backend.stats().pending()).isZero();
      assertThat(backend.loads().keysInFlight()).isZero();
      assertThat(cache.stats().loop().failures()).isZero();
    }
  }

  @ParameterizedTest
  @EnumSource(value = Fault.class, mode = EnumSource.Mode.EXCLUDE, names = "REMOTE_HANGS")
  void aPutThatFailsHoldsUpNoInvalidation(Fault fault) throws Exception {
    StoreFactory stores =
        new StoreFactory() {
          @Override
          public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
            return fault == Fault.LOCAL_THROWS ? new Local<>() : new Remote<>(fault);
          }
        };
    try (FanoutCache cache = FanoutCache.builder().stores(stores).drivenByHost().open()) {
      Backend<Integer, String> backend =
          cache.add(BackendSpec.of("songs", (k, v) -> 1, new Scripted()));
      for (int i = 0; i < 2; i++) {
        ended(backend.put(1, "value"));
        ended(backend.invalidate(List.of(1)));
      }
    }
  }

  /** Otherwise values that other servers have invalidated stay without any sign of it. */
  @ParameterizedTest
  @EnumSource(
      value = Fault.class,
      names = {"LOCAL_THROWS", "REMOTE_THROWS", "REMOTE_FAILS"})
  void removalsForOtherServersThatFailAreCounted(Fault fault) {
    StoreFactory stores =
        new StoreFactory() {
          @Override
          public <K, V> Store<K, V> open(StoreSpec<K, V> spec) {
            return fault == Fault.LOCAL_THROWS ? new Local<>() : new Remote<>(fault);
          }
        };
    List<InvalidationChannel.Listener> listeners = new ArrayList<>();
    InvalidationChannel channel =
        new InvalidationChannel() {
          @Override
          public void open(Listener listener) {
            listeners.add(listener);
          }

          @Override
          public CompletionStage<Void> publish(byte[] message) {
            return CompletableFuture.completedFuture(null);
          }

          @Override
          public void close() {}
        };
    try (FanoutCache cache =
        FanoutCache.builder().stores(stores).drivenByHost().invalidations(channel).open()) {
      Backend<Integer, String> backend =
          cache.add(
              BackendSpec.of("songs", (Integer k, String v) -> 1, new Scripted())
                  .with(KeyText.INTEGER));
      listeners.get(0).broken("it broke");
      assertThat(backend.stats().storeFailures()).isEqualTo(1);
    }
  }

  private static void ended(CompletionStage<?> stage) throws Exception {
    CompletionStage<Boolean> either = stage.handle((done, error) -> true);
    assertThat(either.toCompletableFuture().get(20, TimeUnit.SECONDS)).isTrue();
  }
}
