/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.bench;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutCacheBuilder;
import dev.manx.client.FanoutRequest;
import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
 * The cost of a hit in addition to Caffeine: a whole request (opened, one query, completed)
 * compared with the bare look-up of the same keys. Run by {@link HitBenchmarkRun}; time and
 * allocation per request.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class HitBenchmark {
  private static final int ENTRIES = 10_000;
  private static final int ASKED = 1 << 10;
  private static final String DEFAULTS = "defaults";

  /** Keys of the larger requests. */
  @Param({"42"})
  int batch;

  /**
   * Measurements in addition to the statistics: none, or that of a policy without {@code
   * least-gain}, or those of a cache without settings ({@code cache.robinhood} with {@code
   * least-gain}).
   */
  @Param({"nothing", "shadow-hits", "miss-curve", DEFAULTS})
  String measured;

  private FanoutCache fanout;
  private Backend<Integer, String> backend;
  private Cache<Integer, String> bare;
  private Integer[] keys;
  private List<List<Integer>> batches;
  private int next;

  private CacheStrategy strategy() {
    return measured.equals("nothing")
        ? CacheStrategy.named("cache.robinhood")
        : CacheStrategy.of(
            ConfigNode.parse("bench", "{ policy: cache.cliffhanger, signal: " + measured + " }"),
            () -> 1);
  }

  /** Fills both caches equally; entries weigh the same in both. */
  @Setup
  public void fill() {
    FanoutCacheBuilder builder = FanoutCache.builder().capacity(64 << 20);
    fanout =
        (measured.equals(DEFAULTS) ? builder : builder.strategy(strategy()).leastGain(0)).open();
    Map<Integer, String> values = new HashMap<>();
    bare =
        Caffeine.newBuilder()
            .executor(Runnable::run)
            .maximumWeight(64 << 20)
            .weigher((Integer k, String v) -> 200)
            .build();
    for (int key = 0; key < ENTRIES; key++) {
      values.put(key, "value " + key);
      bare.put(key, "value " + key);
    }
    backend =
        fanout.add(
            BackendSpec.of("b", (k, v) -> 104, asked -> CompletableFuture.completedFuture(values)));
    try (FanoutRequest request = fanout.request()) {
      request.query(backend, values.keySet()).join();
    }
    SplittableRandom random = new SplittableRandom(1);
    keys = new Integer[ASKED];
    batches = new ArrayList<>();
    for (int i = 0; i < ASKED; i++) {
      keys[i] = random.nextInt(ENTRIES);
      batches.add(random.ints(batch, 0, ENTRIES).boxed().distinct().toList());
    }
  }

  /** Ends the threads. */
  @TearDown
  public void close() {
    if (backend.stats().misses() != ENTRIES) {
      throw new IllegalStateException("not all were hits: " + backend.stats());
    }
    fanout.close();
  }

  private Integer key() {
    return keys[next++ & (ASKED - 1)];
  }

  private List<Integer> keys() {
    return batches.get(next++ & (ASKED - 1));
  }

  /** One key of bare Caffeine. */
  @Benchmark
  public String oneBare() {
    return bare.getIfPresent(key());
  }

  /** One key in a request. */
  @Benchmark
  public String oneRequest() {
    try (FanoutRequest request = fanout.request()) {
      return request.queryOne(backend, key()).join();
    }
  }

  /** Many keys of bare Caffeine. */
  @Benchmark
  public Map<Integer, String> manyBare() {
    return bare.getAllPresent(keys());
  }

  /** Many keys in a request. */
  @Benchmark
  public Map<Integer, String> manyRequest() {
    try (FanoutRequest request = fanout.request()) {
      return request.query(backend, keys()).join();
    }
  }
}
