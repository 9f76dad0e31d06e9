/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bench;

import dev.manx.policy.order.FifoOrder;
import dev.manx.policy.order.Op;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.SharedOrder;
import dev.manx.policy.strategy.PolicyMaker;
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
 * Measures the cost of waiting in a queue: one offer and one poll by the same thread, on a queue
 * that always holds some reads, compared with the lock-free queue of a stock stage. Run by {@link
 * BenchmarkRun}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class QueueBenchmark {
  private static final long MILLISECOND = 1_000_000L;

  /** The queue: stock's, or an order behind {@link SharedOrder}. */
  @Param({"stock", "order.fifo", "order.boost"})
  String order;

  /** Reads that wait all the time. */
  @Param({"8", "256"})
  int waiting;

  private Queue<Read> stock;
  private SharedOrder<Read> shared;

  private static final class Read extends Op {}

  /** Fills the queue. */
  @Setup(Level.Iteration)
  public void fill() {
    stock = new ConcurrentLinkedQueue<>();
    Order<Read> ordered =
        order.equals("order.boost")
            ? PolicyMaker.make(order, "capacity: 65536", "max-wait: 500ms", "beta: 1ms")
            : new FifoOrder<>(1 << 16);
    shared =
        new SharedOrder<>(
            ordered,
            true,
            fault -> {
              throw new IllegalStateException(fault);
            });
    for (int i = 0; i < waiting; i++) {
      stock.add(read());
      shared.offer(read());
    }
  }

  private static Read read() {
    Read read = new Read();
    read.arrivalNanos = System.nanoTime();
    read.costNanos = 100_000;
    read.priority = ThreadLocalRandom.current().nextLong(20 * MILLISECOND);
    read.requestId = read.priority;
    return read;
  }

  /** One read arrives and one is served. */
  @Benchmark
  public Op comeAndServe() {
    if (order.equals("stock")) {
      stock.add(read());
      return stock.poll();
    }
    shared.offer(read());
    return shared.poll(System.nanoTime());
  }
}
