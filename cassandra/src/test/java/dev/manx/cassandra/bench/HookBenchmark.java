/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures each hook where no read waits, on {@link CalmPath}. Run by {@link HookCosts}. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class HookBenchmark {
  private final CalmPath path = new CalmPath();

  /** A request of nine keys. */
  @Benchmark
  public void request() {
    path.request();
  }

  /** A request of nine keys in mode off. */
  @Benchmark
  public void requestOff() {
    path.requestWithoutManx();
  }

  /** A request of nine keys with a page size, which Manx removes. */
  @Benchmark
  public void pagedRequest() {
    path.pagedRequest();
  }

  /** A request with a page size in mode off. */
  @Benchmark
  public void pagedRequestOff() {
    path.pagedRequestWithoutManx();
  }

  /** A request with a page size whose nine keys are written in the statement. */
  @Benchmark
  public void pagedList() {
    path.pagedList();
  }

  /** Such a request in mode off. */
  @Benchmark
  public void pagedListOff() {
    path.pagedListWithoutManx();
  }

  /** The replicas of a read that stays at home. */
  @Benchmark
  public Object replicasHome() {
    return path.replicasOrdered();
  }

  /** The replicas of a read in stock's order. */
  @Benchmark
  public Object replicasStocks() {
    return path.replicasInStocksOrder();
  }

  /** The replicas of a read without Manx. */
  @Benchmark
  public Object replicasOff() {
    return path.replicasWithoutManx();
  }

  /** The time of a key of a multiget whose paging was removed. */
  @Benchmark
  public void timedKey() {
    path.timedKey();
  }

  /** The time of a key without Manx. */
  @Benchmark
  public void timedKeyOff() {
    path.timedKeyWithoutManx();
  }

  /** An answer at the filter of tied copies. */
  @Benchmark
  public boolean incomingAnswerTied() {
    return path.incomingAnswerTied();
  }

  /** A read on its way to its replica. */
  @Benchmark
  public boolean outgoingRead() {
    return path.outgoingRead();
  }

  /** An answer on its way to its coordinator. */
  @Benchmark
  public boolean outgoingAnswer() {
    return path.outgoingAnswer();
  }

  /** An answer at its coordinator. */
  @Benchmark
  public boolean incomingAnswer() {
    return path.incomingAnswer();
  }

  /** A read in the read stage. */
  @Benchmark
  public long localRead() {
    return path.localRead();
  }

  /** A read in the stock stage. */
  @Benchmark
  public long localReadStock() {
    return path.localReadWithoutManx();
  }

  /** Ends the stage's threads. */
  @TearDown
  public void close() {
    path.close();
  }
}
