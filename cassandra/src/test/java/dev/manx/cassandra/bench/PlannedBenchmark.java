/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.net.Message;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measures {@link PlannedPath}. Run by {@link HookCosts}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PlannedBenchmark {
  private final PlannedPath path = new PlannedPath();

  /** Nine bound keys. */
  @Benchmark
  public void bound() {
    path.bound();
  }

  /** Nine bound keys in mode off. */
  @Benchmark
  public void boundOff() {
    path.boundOff();
  }

  /** Nine keys in the text. */
  @Benchmark
  public void written() {
    path.written();
  }

  /** Nine keys in the text in mode off. */
  @Benchmark
  public void writtenOff() {
    path.writtenOff();
  }

  /** Nine bound keys as Cassandra evaluates them. */
  @Benchmark
  public List<ByteBuffer> evaluated() {
    return path.evaluated();
  }

  /** A message with a tag. */
  @Benchmark
  public Message<?> tagged() {
    return path.tagged();
  }
}
