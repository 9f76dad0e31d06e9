/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.bench;

import com.github.benmanes.caffeine.cache.AsyncCacheLoader;
import com.github.benmanes.caffeine.cache.AsyncLoadingCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of misses and whole pages, compared with asynchronous caches of Caffeine with the same
 * loaders, one for each backend. Loaders answer at once, so that only the caches' own work is
 * measured. Run by {@link PageBenchmarkRun} with several numbers of threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(3)
public class PageBenchmark {
  private static final int BACKENDS = 30;
  private static final int KEYS = 30;
  private static final int ENTRY_BYTES = 200;
  private static final long CAPACITY_BYTES = 64L << 20;
  private static final long SHARE_ENTRIES = CAPACITY_BYTES / BACKENDS / ENTRY_BYTES;

  /**
   * Percentage of each backend's space in use from the start. Caffeine does not record reads while
   * it is less than half.
   */
  @Param({"0", "60"})
  long usedPercent;

  private final AtomicLong threads = new AtomicLong();
  private final List<Backend<Long, String>> backends = new ArrayList<>();
  private final List<AsyncLoadingCache<Long, String>> bares = new ArrayList<>();
  private final List<Long> hot = LongStream.range(0, KEYS).boxed().toList();
  private FanoutCache fanout;

  private static Map<Long, String> load(Iterable<? extends Long> keys) {
    Map<Long, String> values = new HashMap<>();
    keys.forEach(key -> values.put(key, "value"));
    return values;
  }

  /** Fills both equally; entries weigh the same in both. */
  @Setup
  public void fill() {
    // Without least-gain, to compare only the price of a query.
    fanout = FanoutCache.builder().capacity(CAPACITY_BYTES).leastGain(0).open();
    for (int i = 0; i < BACKENDS; i++) {
      backends.add(
          fanout.add(
              BackendSpec.of(
                  "b" + i,
                  (Long key, String value) -> ENTRY_BYTES - 96,
                  keys -> CompletableFuture.completedFuture(load(keys)))));
      bares.add(
          Caffeine.newBuilder()
              .executor(Runnable::run)
              .maximumWeight(CAPACITY_BYTES / BACKENDS)
              .weigher((Long key, String value) -> ENTRY_BYTES)
              .buildAsync(
                  new AsyncCacheLoader<Long, String>() {
                    @Override
                    public CompletableFuture<String> asyncLoad(Long key, Executor executor) {
                      return CompletableFuture.completedFuture("value");
                    }

                    @Override
                    public CompletableFuture<Map<Long, String>> asyncLoadAll(
                        Set<? extends Long> keys, Executor executor) {
                      return CompletableFuture.completedFuture(load(keys));
                    }
                  }));
    }
    long entries = Math.max(KEYS, SHARE_ENTRIES * usedPercent / 100);
    query(LongStream.range(0, entries).boxed().toList());
    // Caffeine begins to record reads when an entry is added while half of the space is in use. Its
    // entries of an asynchronous load weigh nothing when they are added, but when the load ends.
    query(List.of(entries));
  }

  private void query(List<Long> keys) {
    for (int i = 0; i < BACKENDS; i++) {
      try (FanoutRequest request = fanout.request()) {
        request.query(backends.get(i), keys).join();
      }
      bares.get(i).getAll(keys).join();
    }
  }

  /** Ends the threads. */
  @TearDown
  public void close() {
    fanout.close();
  }

  /** Keys that were never queried, for each thread. */
  @State(Scope.Thread)
  public static class Fresh {
    private long next;

    /** Begins in a range of its thread. */
    @Setup
    public void begin(PageBenchmark of) {
      next = of.threads.incrementAndGet() << 40;
    }

    Long key() {
      return next++;
    }
  }

  /** A miss of one key. */
  @Benchmark
  public Object missBare(Fresh fresh) {
    return bares.get(0).getAll(List.of(fresh.key())).join();
  }

  /** A miss of one key in a request. */
  @Benchmark
  public Object missRequest(Fresh fresh) {
    try (FanoutRequest request = fanout.request()) {
      return request.query(backends.get(0), List.of(fresh.key())).join();
    }
  }

  /** Thirty hits in one backend. */
  @Benchmark
  public Object hitsBare() {
    return bares.get(0).getAll(hot).join();
  }

  /** Thirty hits in one backend, in a request. */
  @Benchmark
  public Object hitsRequest() {
    try (FanoutRequest request = fanout.request()) {
      return request.query(backends.get(0), hot).join();
    }
  }

  /** A hit in each of thirty backends. */
  @Benchmark
  public int pageBare() {
    int found = 0;
    for (AsyncLoadingCache<Long, String> bare : bares) {
      found += bare.getAll(List.of(7L)).join().size();
    }
    return found;
  }

  /** A hit in each of thirty backends, in a request. */
  @Benchmark
  public int pageRequest() {
    int found = 0;
    try (FanoutRequest request = fanout.request()) {
      for (Backend<Long, String> backend : backends) {
        found += request.query(backend, List.of(7L)).join().size();
      }
    }
    return found;
  }

  /** A miss in each of thirty backends. */
  @Benchmark
  public int missesBare(Fresh fresh) {
    int found = 0;
    for (AsyncLoadingCache<Long, String> bare : bares) {
      found += bare.getAll(List.of(fresh.key())).join().size();
    }
    return found;
  }

  /** A miss in each of thirty backends, in a request. */
  @Benchmark
  public int missesRequest(Fresh fresh) {
    int found = 0;
    try (FanoutRequest request = fanout.request()) {
      for (Backend<Long, String> backend : backends) {
        found += request.query(backend, List.of(fresh.key())).join().size();
      }
    }
    return found;
  }
}
