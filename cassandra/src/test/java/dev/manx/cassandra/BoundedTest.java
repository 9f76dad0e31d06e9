/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.latency.ReadTimes;
import dev.manx.cassandra.metrics.Followed;
import dev.manx.policy.Request;
import dev.manx.policy.facts.Ticket;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.schema.TableMetadata;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A coordinator's state stays bounded, whatever the ends of its reads. With {@code MANX_FULL=1} it
 * plays an hour of 5,000 requests a second.
 */
@Tag("slow")
class BoundedTest {
  private static final int REQUESTS =
      "1".equals(System.getenv("MANX_FULL")) ? 18_000_000 : 1_000_000;
  private static final int NODES = 6;
  private static final int WIDEST = 8;
  private static final long STEP_NANOS = 10_000;
  private static final long LIFETIME_NANOS = 100_000_000;
  private static final long SPARE_BYTES = 4 << 20;
  private static final String STRATEGY =
      """
      strategy:
        select: { policy: select.popularity-aware }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles:
          size: { policy: oracle.size-bloom, large-above: 1KiB, memory: 64KiB }
          popularity: { policy: oracle.popularity-space-saving }
        facts: [pending-reads, service-time, work-ahead]
      """;

  private long now;
  private long messages;
  private final SplittableRandom random = new SplittableRandom(9);
  private final Engine engine = TestEngines.of(STRATEGY, () -> now);
  private final InFlight inFlight = new InFlight(1_000, 1 << 20);
  private final Request request = new Request();
  private final Ticket ticket = new Ticket();
  private final TableMetadata table = TestSchema.command("SELECT * FROM ks.plain").metadata();

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @Test
  @Timeout(1_200)
  void requestsWithFailuresAndTimeOutsLeaveNothingBehind() {
    int most = 0;
    long early = 0;
    long memory = 0;
    for (int i = 1; i <= REQUESTS; i++) {
      request();
      most = Math.max(most, engine.state().tickets().size());
      if (i % 1_000 == 0) {
        tick();
      }
      if (i == REQUESTS / 10) {
        early = heapBytes();
        memory = heldBytes();
      }
    }
    assertThat(heapBytes()).isLessThan(early + SPARE_BYTES);
    assertThat(heldBytes()).isEqualTo(memory);
    assertThat(engine.measures().requests().memoryBytes())
        .isLessThan(engine.measures().requests().mostBytes());
    assertThat(most).isEqualTo(engine.state().tickets().capacity());
    assertThat(engine.counters().get(Counter.TICKETS_OVERFLOWED)).isPositive();

    now += 60_000_000_000L;
    tick();
    assertThat(engine.state().tickets().size()).isZero();
    assertThat(engine.timed().size()).isZero();
    assertThat(inFlight.keys()).isZero();
    assertThat(inFlight.bytes()).isZero();
    for (int node = 0; node < NODES; node++) {
      assertThat(engine.state().outstandingReads(node)).isZero();
      assertThat(engine.state().outstandingWorkNanos(node)).isZero();
      assertThat(engine.nodes().faults().penalties(node)).isZero();
    }
    assertThat(engine.counters().get(Counter.TICKETS_OPENED))
        .isEqualTo(
            engine.counters().get(Counter.TICKETS_ANSWERED)
                + engine.counters().get(Counter.TICKETS_FAILED)
                + engine.counters().get(Counter.TICKETS_TIMED_OUT)
                + engine.counters().get(Counter.TICKETS_CANCELLED));
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }

  private void request() {
    now += STEP_NANOS;
    int reads = random.nextInt(1, WIDEST + 1);
    request.begin(now, random, NODES);
    for (int read = 0; read < reads; read++) {
      request.addRead(null, random.nextLong(), 1);
      int first = random.nextInt(NODES);
      for (int replica = 0; replica < 3; replica++) {
        request.addReplica((first + replica) % NODES, 0);
      }
    }
    engine.strategy().plan(request, engine.state());
    Followed followed = engine.measures().follow(table, reads, true, false, 1, now);
    boolean entered = inFlight.enter(reads, request.totalBytes());
    ReadTimes times = engine.timed().begin(reads);
    long first = messages;
    for (int read = 0; read < reads; read++) {
      long id = messages++;
      engine.sent(
          id,
          request.replica(read, 0),
          request.costNanos(read),
          request.keyHash(read),
          LIFETIME_NANOS);
      times.sent(read, 1, id, now);
    }
    for (int read = 0; read < reads; read++) {
      end(first + read, request.replica(read, 0), request.keyHash(read));
    }
    times.close();
    followed.ended(now + reads * STEP_NANOS);
    if (entered) {
      inFlight.leave(reads, request.totalBytes());
    }
  }

  private void end(long id, int node, long keyHash) {
    switch (random.nextInt(20)) {
      case 0 -> engine.failed(id, node, RequestFailureReason.UNKNOWN, ticket);
      case 1 -> engine.closed(id, node, Outcome.CANCELLED, ticket);
      // No answer arrives.
      case 2 -> {}
      default -> {
        engine.closed(id, node, Outcome.ANSWERED, ticket);
        engine.strategy().sizes().learn(null, keyHash, random.nextInt(2_000));
      }
    }
  }

  private void tick() {
    engine
        .state()
        .tickets()
        .expire(now, expired -> engine.ended(expired.node, expired, Outcome.TIMED_OUT));
    engine.strategy().tick(engine.state(), NODES, now);
  }

  private long heldBytes() {
    return engine.state().tickets().memoryBytes()
        + engine.strategy().sizes().memoryBytes()
        + engine.strategy().popularity().memoryBytes()
        + engine.measures().requests().memoryBytes();
  }

  private static long heapBytes() {
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
