/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * The price of ordered puts for a load into a remote store: it looks for earlier puts of its keys,
 * begins its own and ends it, while others are in progress. Run by {@link PutsBenchmarkRun}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class PutsBenchmark {
  private static final int BATCH = 30;

  /** Unanswered puts of other keys. */
  @Param({"0", "30", "1000"})
  int underWay;

  private final Puts<Integer> puts = new Puts<>();
  private final List<Integer> keys = IntStream.range(0, BATCH).boxed().toList();
  private final List<Puts.Put<Integer>> others = new ArrayList<>();

  /** Begins the others. */
  @Setup
  public void begin() {
    for (int i = 1; i <= underWay; i++) {
      others.add(puts.begin(IntStream.range(i * BATCH, (i + 1) * BATCH).boxed().toList()));
    }
  }

  /** A load of thirty keys. */
  @Benchmark
  public CompletableFuture<Void> load() {
    CompletableFuture<Void> earlier = puts.end(keys);
    puts.begin(keys).end();
    return earlier;
  }
}
