/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.policy.strategy.Presets;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of waiting in the plugin's queue: one offer and one poll by the same thread, on
 * a queue that always holds eight reads, compared with the lock-free queue of a stock stage. Run by
 * {@link ReadQueueCosts}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class ReadQueueBenchmark {
  private static final int WAITING = 8;
  private static final long MILLISECOND = 1_000_000;

  /** Stock's queue, ours with ranked reads, and with a quarter of coordinators without Manx. */
  @Param({"stock", "ranked", "mixed"})
  String reads;

  private Engine engine;
  private Queue<QueuedRead> stock;
  private ReadQueue queue;

  /** Fills the queue. */
  @Setup(Level.Iteration)
  public void fill() {
    engine = TestEngines.of(Presets.find("manx").orElseThrow().document(), System::nanoTime);
    stock = new ConcurrentLinkedQueue<>();
    queue =
        new ReadQueue(
            engine.strategy().newOrder(),
            true,
            null,
            fault -> {
              throw new IllegalStateException(fault);
            });
    for (int i = 0; i < WAITING; i++) {
      stock.add(read());
      queue.offer(read());
    }
  }

  private QueuedRead read() {
    QueuedRead read = new QueuedRead(engine, null, null);
    read.costNanos = 100_000;
    read.priority = ThreadLocalRandom.current().nextLong(20 * MILLISECOND);
    read.requestId = read.priority;
    if (reads.equals("mixed") && (read.priority & 3) == 0) {
      read.waitsInRound();
    }
    read.enqueued(0);
    return read;
  }

  /** One read arrives and one is served. */
  @Benchmark
  public QueuedRead comeAndServe() {
    if (reads.equals("stock")) {
      stock.add(read());
      return stock.poll();
    }
    queue.offer(read());
    return queue.poll(System.nanoTime());
  }
}
