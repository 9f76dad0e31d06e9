/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bench;

import dev.manx.policy.facts.Ticket;
import dev.manx.policy.facts.TicketTable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of tracking a planned read from its sending to its answer: one ticket opened
 * and closed. Run by {@link BenchmarkRun}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TicketBenchmark {
  private static final int NODES = 6;

  private final TicketTable table = new TicketTable(1 << 16, NODES);
  private final AtomicLong threads = new AtomicLong();

  /** A thread's own messages. */
  @State(Scope.Thread)
  public static class Sender {
    private final Ticket ticket = new Ticket();
    private long next;
  }

  /** One read is sent and answered. */
  @Benchmark
  public boolean sendAndAnswer(Sender sender) {
    if (sender.next == 0) {
      sender.next = threads.incrementAndGet() << 40;
    }
    long id = sender.next++;
    int node = (int) (id % NODES);
    table.open(id, node, 100_000, id, id, Long.MAX_VALUE);
    return table.close(id, node, sender.ticket);
  }
}
