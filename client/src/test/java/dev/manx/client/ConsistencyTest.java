/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.store.CaffeineStore;
import dev.manx.client.store.LruStore;
import dev.manx.client.store.StoreFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads concurrently query, write and invalidate a few keys of one backend: no query that
 * begins after an invalidation finds an earlier value, every query ends, and the counters balance.
 */
class ConsistencyTest {
  private static final int KEYS = 12;
  private static final int THREADS = 6;
  private static final int STEPS = 4_000;

  private final long seed = System.nanoTime();
  private final AtomicIntegerArray versions = new AtomicIntegerArray(KEYS);

  /** The version of each key at the start of its last completed invalidation. */
  private final AtomicIntegerArray invalidated = new AtomicIntegerArray(KEYS);

  private final AtomicInteger loads = new AtomicInteger();

  private CompletableFuture<Map<Integer, Integer>> load(
      ExecutorService backend, List<Integer> keys) {
    int call = loads.incrementAndGet();
    return CompletableFuture.supplyAsync(
        () -> {
          Map<Integer, Integer> read = new HashMap<>();
          for (int key : keys) {
            read.put(key, versions.get(key));
          }
          LockSupport.parkNanos(1);
          if (call % 50 == 0) {
            throw new IllegalStateException("now and then");
          }
          return read;
        },
        backend);
  }

  @ParameterizedTest
  @ValueSource(strings = {"caffeine", "lru", "elsewhere"})
  void noRequestSeesAnInvalidatedValue(String kind) throws Exception {
    ExecutorService backend = Executors.newFixedThreadPool(3);
    StoreFactory stores =
        switch (kind) {
          case "lru" -> LruStore.factory();
          case "caffeine" -> CaffeineStore.factory();
          default -> Elsewhere.factory(backend);
        };
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger asked = new AtomicInteger();
    try (FanoutCache cache = FanoutCache.builder().capacity(1 << 20).stores(stores).open()) {
      Backend<Integer, Integer> b =
          cache.add(BackendSpec.of("b", (k, v) -> 32, keys -> load(backend, keys)));
      List<Future<?>> work = new ArrayList<>();
      for (int t = 0; t < THREADS; t++) {
        SplittableRandom random = new SplittableRandom(seed + t);
        work.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < STEPS; i++) {
                    int key = random.nextInt(KEYS);
                    if (random.nextInt(10) == 0) {
                      int version = versions.incrementAndGet(key);
                      b.invalidate(List.of(key)).toCompletableFuture().get(20, TimeUnit.SECONDS);
                      invalidated.accumulateAndGet(key, version, Math::max);
                      asked.addAndGet(check(cache, b, List.of(key), failed));
                    } else {
                      asked.addAndGet(check(cache, b, List.of(key, random.nextInt(KEYS)), failed));
                    }
                  }
                  return null;
                }));
      }
      for (Future<?> one : work) {
        one.get(60, TimeUnit.SECONDS);
      }
      BackendStats stats = b.stats();
      assertThat(stats.hits() + stats.misses()).isEqualTo(asked.get());
      assertThat(stats.pending()).isZero();
      assertThat(b.loads().keysInFlight()).isZero();
      assertThat(stats.loadFailures()).isPositive();
      assertThat(failed.get()).isGreaterThanOrEqualTo((int) stats.loadFailures());
      assertThat(stats.coalesced()).isPositive();
      assertThat(stats.storeFailures()).isZero();
      assertThat(cache.stats().requests()).isEqualTo((long) THREADS * STEPS);
    } finally {
      threads.shutdownNow();
      backend.shutdownNow();
    }
  }

  /** Queries keys whose versions were read before: no answer is older. */
  private int check(
      FanoutCache cache, Backend<Integer, Integer> b, List<Integer> keys, AtomicInteger failed)
      throws Exception {
    int[] atLeast = keys.stream().mapToInt(invalidated::get).toArray();
    try (FanoutRequest request = cache.request()) {
      Map<Integer, Integer> answer = request.query(b, keys).get(20, TimeUnit.SECONDS);
      for (int i = 0; i < keys.size(); i++) {
        assertThat(answer.get(keys.get(i))).as("seed %d", seed).isGreaterThanOrEqualTo(atLeast[i]);
      }
    } catch (ExecutionException e) {
      assertThat(e).hasRootCauseMessage("now and then");
      failed.incrementAndGet();
    }
    return (int) keys.stream().distinct().count();
  }
}
