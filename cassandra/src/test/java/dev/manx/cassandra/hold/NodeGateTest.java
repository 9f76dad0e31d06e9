/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import static dev.manx.cassandra.hold.HoldBench.LIFE;
import static dev.manx.cassandra.hold.HoldBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.Ticket;
import dev.manx.policy.fanout.Credits;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.GatedReads;
import dev.manx.policy.hold.Permits;
import dev.manx.policy.hold.RoutedOp;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A gate at a coordinator of many threads: C3's rates, permits that throw or never return. */
@Timeout(60)
class NodeGateTest {
  private static final String C3 =
      "strategy: { select: { policy: select.c3-rate-control, first-rate: 5, burst: 1,"
          + " growth: 1 },"
          + " facts: [pending-reads, service-time] }";

  private final HoldBench bench = new HoldBench(C3);

  private HeldMessage ranked() {
    HeldMessage read = bench.read();
    read.ranked(HoldBench.NODE, 1, 0, MILLI, 0, bench.now.get());
    return read;
  }

  private boolean passes(NodeGate gate) {
    return bench.holds.passes(gate, ranked(), LIFE);
  }

  @Test
  void aReadWaitsUntilItsNodesBucketHasATokenAgain() {
    NodeGate gate = bench.engine.gate();
    assertThat(passes(gate)).as("the first token").isTrue();
    assertThat(passes(gate)).isFalse();
    assertThat(passes(gate)).isFalse();
    assertThat(bench.count(Counter.READS_HELD)).isEqualTo(2);
    assertThat(bench.departures.open).as("the first one's is left to the filter").hasSize(3);
    bench.pass(4 * MILLI - 1);
    assertThat(bench.departures.sent).isEmpty();
    bench.pass(1);
    assertThat(bench.departures.sent).as("five in 20 ms").hasSize(1);
    bench.pass(4 * MILLI);
    assertThat(bench.departures.sent).hasSize(2);
    assertThat(bench.holds.held()).isZero();
    assertThat(bench.engine.state().outstandingReads(HoldBench.NODE)).isEqualTo(2);
  }

  @Test
  void anAnswerRaisesTheRateAndLetsReadsLeave() {
    NodeGate gate = bench.engine.gate();
    long first = 1;
    bench.engine.sent(first, HoldBench.NODE, MILLI, 7, LIFE);
    passes(gate);
    passes(gate);
    bench.pass(3 * MILLI);
    assertThat(bench.departures.sent).isEmpty();
    bench.engine.closed(first, HoldBench.NODE, Outcome.ANSWERED, new Ticket());
    bench.pass(MILLI / 2);
    assertThat(bench.departures.sent).as("at 13 in 20 ms from then on").hasSize(1);
  }

  @Test
  void offLetsAllLeaveAndTheGateGivesNoneTwice() {
    NodeGate gate = bench.engine.gate();
    passes(gate);
    passes(gate);
    passes(gate);
    bench.off.set(true);
    bench.holds.releaseAll();
    assertThat(bench.departures.sent).hasSize(2);
    bench.off.set(false);
    bench.now.addAndGet(100 * MILLI);
    gate.look();
    assertThat(bench.departures.sent).hasSize(2);
    assertThat(bench.count(Counter.HOLDS_CUT)).isEqualTo(2);
    assertThat(bench.holds.held()).isZero();
  }

  /** Permits whose opening times and side effects a test sets. */
  static class Never implements Permits {
    @Override
    public long rank(RoutedOp read) {
      return 0;
    }

    @Override
    public long opensAtNanos(int node) {
      return Long.MAX_VALUE;
    }

    @Override
    public boolean isBetter(RoutedOp read, int node, int other, long nowNanos, ClusterView view) {
      return false;
    }

    @Override
    public void spend(RoutedOp read, long nowNanos) {}

    @Override
    public void reportChanges(GatedReads<?> held, long nowNanos) {}
  }

  /** A thread that others keep busy, as on a busy node: each of its steps makes another one due. */
  @Test
  void oneThreadDoesAFewStepsForOthersAndLeavesTheRestToTheTimer() {
    NodeGate[] made = new NodeGate[1];
    AtomicInteger steps = new AtomicInteger();
    AtomicInteger wakes = new AtomicInteger();
    List<Throwable> faults = new ArrayList<>();
    Permits busy =
        new Never() {
          @Override
          public void reportChanges(GatedReads<?> held, long nowNanos) {
            if (steps.incrementAndGet() < 10_000) {
              made[0].look();
            }
          }
        };
    made[0] =
        new NodeGate(
            new Gate<>(busy, 64, false),
            bench.engine.state(),
            bench.now::get,
            bench.engine.guard().stalls(),
            read -> {},
            faults::add,
            wakes::incrementAndGet);
    assertThat(passes(made[0])).isFalse();
    int first = steps.get();
    assertThat(first).isLessThan(100);
    assertThat(wakes).hasValue(1);
    assertThat(made[0].nextNanos())
        .as("the timer is to look at once")
        .isLessThanOrEqualTo(bench.now.get());
    made[0].look();
    assertThat(steps.get()).isBetween(first + 1, 2 * first);
    assertThat(wakes).hasValue(2);
    while (steps.get() < 10_000) {
      made[0].look();
    }
    made[0].look();
    int last = wakes.get();
    made[0].look();
    assertThat(wakes).as("all is done").hasValue(last);
    assertThat(made[0].nextNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(faults).isEmpty();
  }

  /** Threads of other requests bring reads as fast as one thread ranks them. */
  @Test
  void oneThreadTakesInAFewReadsOfOthersAndLeavesTheRestToTheTimer() {
    NodeGate[] made = new NodeGate[1];
    AtomicInteger ranked = new AtomicInteger();
    made[0] =
        gate(
            new Never() {
              @Override
              public long rank(RoutedOp read) {
                if (ranked.incrementAndGet() < 1_000) {
                  assertThat(passes(made[0])).isFalse();
                }
                return 0;
              }
            },
            2_000);
    assertThat(passes(made[0])).isFalse();
    assertThat(ranked.get()).isLessThan(100);
    while (made[0].nextNanos() <= bench.now.get()) {
      int before = ranked.get();
      made[0].look();
      assertThat(ranked.get() - before).isLessThan(100);
    }
    assertThat(ranked).as("each of them").hasValue(1_000);
    bench.pass(LIFE / 4);
    assertThat(bench.departures.sent).hasSize(1_000).doesNotHaveDuplicates();
  }

  /** Such as a grant of credit. */
  @Test
  void oneThreadReleasesAFewReadsOfOthersAndLeavesTheRestToTheTimer() {
    AtomicBoolean open = new AtomicBoolean();
    NodeGate gate =
        gate(
            new Never() {
              @Override
              public long opensAtNanos(int node) {
                return open.get() ? 0 : Long.MAX_VALUE;
              }

              @Override
              public void reportChanges(GatedReads<?> held, long nowNanos) {
                held.allChanged(nowNanos);
              }
            },
            2_000);
    for (int i = 0; i < 1_000; i++) {
      assertThat(passes(gate)).isFalse();
    }
    open.set(true);
    int sent = 0;
    do {
      gate.look();
      assertThat(bench.departures.sent.size() - sent).isLessThan(100);
      sent = bench.departures.sent.size();
    } while (gate.nextNanos() <= bench.now.get());
    assertThat(bench.departures.sent).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(bench.holds.held()).isZero();
  }

  private NodeGate gate(Permits permits, int capacity) {
    return bench.holds.gate(
        new Gate<>(permits, capacity, false), bench.engine.state(), bench.engine.guard());
  }

  @Test
  void aGateThatNeverOpensHoldsNoReadBeyondItsLongestHold() {
    HoldBench own = new HoldBench(C3);
    NodeGate gate = own.engine.gate();
    for (int i = 0; i < 40; i++) {
      HeldMessage read = own.read();
      read.ranked(HoldBench.NODE, 1, 0, MILLI, 0, own.now.get());
      own.holds.passes(gate, read, LIFE);
    }
    own.pass(LIFE / 4);
    assertThat(own.holds.held()).isZero();
    assertThat(own.departures.sent).hasSize(39).doesNotHaveDuplicates();
    assertThat(own.count(Counter.HOLDS_OVERDUE)).as("one left by its token").isEqualTo(38);
    own.pass(LIFE);
    assertThat(own.departures.sent).hasSize(39);
  }

  @Test
  void readsWaitForCreditUntilSomeIsGrantedOrNoneAppliesAnyMore() {
    HoldBench own = new HoldBench("strategy: { fanout: fanout.brb-credits }");
    Credits credits = own.engine.strategy().planner().credits();
    NodeGate gate = own.engine.gate();
    credits.grant(new double[] {0, 0}, own.now.get());
    for (int i = 0; i < 3; i++) {
      HeldMessage read = own.read();
      read.ranked(HoldBench.NODE, 1, 0, MILLI, 0, own.now.get());
      assertThat(own.holds.passes(gate, read, LIFE)).isFalse();
    }
    credits.grant(new double[] {0, MILLI}, own.now.get());
    own.now.incrementAndGet();
    gate.look();
    assertThat(own.departures.sent).as("the last read may overdraw its credit").hasSize(1);
    credits.suspend();
    gate.look();
    assertThat(own.departures.sent).hasSize(3).doesNotHaveDuplicates();
    assertThat(own.holds.held()).isZero();
    assertThat(own.count(Counter.HOLDS_OVERDUE)).isZero();
  }

  @Test
  void theTimerSendsAllThatOneGrantReleasesWithoutARest() {
    HoldBench own = new HoldBench("strategy: { fanout: fanout.brb-credits }");
    Credits credits = own.engine.strategy().planner().credits();
    NodeGate gate = own.engine.gate();
    credits.grant(new double[] {0, 0}, own.now.get());
    for (int i = 0; i < 1_000; i++) {
      HeldMessage read = own.read();
      read.ranked(HoldBench.NODE, 1, 0, MILLI, 0, own.now.get());
      assertThat(own.holds.passes(gate, read, LIFE)).isFalse();
    }
    credits.suspend();
    gate.look();
    assertThat(own.departures.sent).hasSizeBetween(1, 100);
    own.holds.advance();
    assertThat(own.departures.sent).hasSize(1_000).doesNotHaveDuplicates();
    assertThat(own.holds.held()).isZero();
  }

  @Test
  void readsThatAFullGateRejectsAreSentAtOnce() {
    NodeGate gate = gate(new Never(), 1);
    assertThat(passes(gate)).isFalse();
    assertThat(passes(gate)).isTrue();
  }

  @Test
  void permitsThatThrowCostNoRead() {
    List<Throwable> faults = new ArrayList<>();
    NodeGate gate =
        new NodeGate(
            new Gate<>(
                new Never() {
                  @Override
                  public long rank(RoutedOp read) {
                    throw new IllegalStateException("no rank");
                  }
                },
                8,
                false),
            bench.engine.state(),
            bench.now::get,
            bench.engine.guard().stalls(),
            read -> {},
            faults::add,
            () -> {});
    assertThat(passes(gate)).isTrue();
    assertThat(faults).hasSize(1);
  }

  /** The thread inside is lost; others leave their reads with it and continue. */
  @Test
  void permitsThatDoNotReturnKeepOneThreadAndNoOthersRead() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    NodeGate gate =
        gate(
            new Never() {
              @Override
              public long rank(RoutedOp read) {
                inside.countDown();
                try {
                  release.await();
                } catch (InterruptedException e) {
                  Thread.currentThread().interrupt();
                }
                return 0;
              }
            },
            8);
    Thread lost = new Thread(() -> passes(gate));
    lost.start();
    inside.await();
    assertThat(passes(gate)).isFalse();
    bench.pass(LIFE / 4);
    assertThat(bench.departures.sent).hasSize(1);
    HeldMessage gone = ranked();
    gone.claim();
    for (int i = 0; i < NodeGate.MOST_LEFT; i++) {
      gate.left(gone);
    }
    assertThat(passes(gate)).as("too many are left with the lost thread").isTrue();
    release.countDown();
    lost.join();
  }

  @Test
  void eachReadOfManyThreadsLeavesOnce() throws Exception {
    int threads = 4;
    int each = 2_000;
    NodeGate gate =
        gate(
            new Never() {
              @Override
              public long opensAtNanos(int node) {
                return 0;
              }
            },
            64);
    AtomicInteger passed = new AtomicInteger();
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      List<Future<?>> done = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        done.add(
            pool.submit(
                () -> {
                  start.await();
                  for (int n = 0; n < each; n++) {
                    passed.addAndGet(passes(gate) ? 1 : 0);
                  }
                  return null;
                }));
      }
      for (Future<?> one : done) {
        one.get();
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(passed.get() + bench.departures.sent.size()).isEqualTo(threads * each);
    assertThat(bench.departures.sent).doesNotHaveDuplicates();
    assertThat(bench.holds.held()).isZero();
  }
}
