/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.policy.Request;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Ticket;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RetryTest {
  private static final long MILLI = 1_000_000;
  private static final int SELF = 0;
  private static final int FIRST = 1;
  private static final int SECOND = 2;
  private static final int THIRD = 3;
  private static final int THREADS = 2;
  private static final long ID = 70;

  private final AtomicLong now = new AtomicLong(1_000 * MILLI);
  private final Engine engine =
      TestEngines.of("strategy: { order: order.boost, fanout: fanout.brb-equalmax }", now::get);
  private final ThreadPlan plan = ThreadPlan.current();

  @BeforeAll
  static void cassandra() {
    TestSchema.load();
  }

  @AfterEach
  void end() {
    plan.close();
  }

  /** A request of one read that needs some replicas, each of which was sent a message now. */
  private void sent(int... firsts) {
    planned(firsts.length);
    for (int i = 0; i < firsts.length; i++) {
      plan.attempts().attempted(0, firsts[i]);
      assertThat(plan.attempts().isFirst(0)).isTrue();
      plan.sent(0, ID + i, now.get());
      engine.sent(ID + i, firsts[i], MILLI, 7, 5_000 * MILLI);
    }
    plan.attempts().attempted(0, SECOND);
    assertThat(plan.attempts().isFirst(0)).isFalse();
    assertThat(plan.attempts().isNext(0)).isTrue();
  }

  private void planned(int contacts) {
    Request request = plan.request();
    request.begin(now.get(), new SplittableRandom(1), 16);
    request.addRead(null, 0, contacts);
    for (int replica : new int[] {SELF, FIRST, SECOND, THIRD}) {
      request.addReplica(replica, 0);
    }
    engine.strategy().plan(request, engine.state());
    plan.open(1, true, false);
  }

  private Retry retry(int node) {
    return Retry.of(engine, plan, 0, node, THREADS);
  }

  /** A decision while no replica has answered. */
  private long waits(int node) {
    return retry(node).waitsNanos(now.get(), 0);
  }

  private void isBusy(int node) {
    reports(node, THREADS + 1, MILLI);
  }

  private void reports(int node, int pending, long ahead) {
    engine.state().apply(FactColumn.PENDING_READS, node, pending, now.get());
    engine.state().apply(FactColumn.WORK_AHEAD, node, ahead, now.get());
  }

  /** By hand: an eighth of 100 ms. */
  @Test
  void aRetryWaitsWhileItsFirstReplicaWorksAndTheSecondIsBusy() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get() - 50 * MILLI);
    isBusy(SECOND);
    assertThat(waits(SECOND)).isEqualTo(12_500_000);
    assertThat(waits(THIRD)).as("no read is known there").isZero();
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    assertThat(waits(SECOND)).as("its report is too old").isZero();
  }

  @Test
  void theFirstDecisionsAreAMillisecondApart() {
    sent(FIRST);
    now.addAndGet(3 * MILLI);
    engine.signs().answered(FIRST, now.get());
    isBusy(SECOND);
    assertThat(waits(SECOND)).isEqualTo(MILLI);
  }

  @Test
  void ownOpenReadsAtTheSecondReplicaShowThatItIsBusy() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    engine.sent(1_000, SECOND, MILLI, 7, 5_000 * MILLI);
    assertThat(waits(SECOND)).isZero();
    engine.sent(1_001, SECOND, MILLI, 7, 5_000 * MILLI);
    assertThat(waits(SECOND)).isPositive();
  }

  @Test
  void aReplicaIsSilentIfItServesNoReadForHalfOfTheRequestsTime() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    isBusy(SECOND);
    assertThat(waits(SECOND)).as("it has never answered").isZero();
    engine.signs().answered(FIRST, now.get() - 51 * MILLI);
    assertThat(waits(SECOND)).isZero();
    now.addAndGet(500 * MILLI);
    isBusy(SECOND);
    engine.signs().answered(FIRST, now.get() - 201 * MILLI);
    assertThat(waits(SECOND)).as("an old read; by hand: at most 200 ms").isZero();
    engine.signs().answered(FIRST, now.get());
    assertThat(waits(SECOND)).isPositive();
    engine.signs().ended(FIRST);
    assertThat(waits(SECOND)).as("it has died").isZero();
  }

  /** By hand: eight reads of 10 ms, and at most 100 ms. */
  @Test
  void aReplicaIsNotSilentWhileItMayServeOthers() {
    sent(FIRST);
    now.addAndGet(10 * MILLI);
    isBusy(SECOND);
    engine.signs().answered(FIRST, now.get() - 79 * MILLI);
    assertThat(waits(SECOND)).as("the service time is unknown").isZero();
    engine.state().apply(FactColumn.SERVICE_TIME, FIRST, 10 * MILLI, now.get());
    assertThat(waits(SECOND)).isPositive();
    now.addAndGet(2 * MILLI);
    assertThat(waits(SECOND)).isZero();
    engine.state().apply(FactColumn.SERVICE_TIME, FIRST, 1_000 * MILLI, now.get());
    now.addAndGet(19 * MILLI);
    assertThat(waits(SECOND)).as("100 ms").isPositive();
    now.addAndGet(MILLI);
    assertThat(waits(SECOND)).isZero();
  }

  /** An answer closes the ticket before Cassandra counts it: one more look. */
  @Test
  void aReadThatFailedWaitsForAMillisecondOnly() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    isBusy(SECOND);
    Retry retry = retry(SECOND);
    assertThat(retry.waitsNanos(now.get(), 0)).isEqualTo(12_500_000);
    engine.closed(ID, FIRST, Engine.Outcome.FAILED, new Ticket());
    assertThat(retry.waitsNanos(now.get(), 0)).isEqualTo(MILLI);
    assertThat(retry.waitsNanos(now.get(), 0)).isZero();
  }

  @Test
  void anAnsweredReadLeavesAndOneThatCassandraGaveUpDoesToo() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    isBusy(SECOND);
    assertThat(retry(SECOND).waitsNanos(now.get(), 1)).isZero();
    assertThat(retry(SECOND).waitsNanos(now.get(), -1)).isZero();
  }

  @Test
  void aReadOfUnknownWhereaboutsDoesNotWait() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    isBusy(SECOND);
    engine.closed(ID, FIRST, Engine.Outcome.CANCELLED, new Ticket());
    Retry retry = retry(SECOND);
    retry.waitsNanos(now.get(), 0);
    assertThat(retry.waitsNanos(now.get(), 0)).isZero();
  }

  @Test
  void eachReplicaOfAQuorumThatStillOwesItsAnswerMustWork() {
    sent(FIRST, SECOND);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    isBusy(THIRD);
    assertThat(waits(THIRD)).as("the second is silent").isZero();
    engine.signs().answered(SECOND, now.get());
    assertThat(waits(THIRD)).isPositive();
    engine.signs().ended(FIRST);
    engine.closed(ID, FIRST, Engine.Outcome.ANSWERED, new Ticket());
    assertThat(retry(THIRD).waitsNanos(now.get(), 1)).as("the first has answered").isPositive();
    Retry failed = retry(THIRD);
    failed.waitsNanos(now.get(), 0);
    assertThat(failed.waitsNanos(now.get(), 0)).as("the first has failed").isZero();
  }

  @Test
  void thisNodesOwnQueueIsKnown() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    spend();
    assertThat(waits(SELF)).as("idle").isZero();
    engine.load().enqueued(MILLI);
    assertThat(waits(SELF)).as("a read waits").isPositive();
    engine.load().started(MILLI);
    assertThat(waits(SELF)).as("half of its threads are idle").isZero();
  }

  private void spend() {
    while (engine.holds().retries().take()) {}
  }

  /** By hand: 20 at once, and then one for 20 answered reads. */
  @Test
  void fewReadsAreReadTwiceAtANodeThatIsNotIdle() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    reports(SECOND, THREADS, 0);
    for (int i = 0; i < 20; i++) {
      assertThat(waits(SECOND)).as("retry %d", i).isZero();
    }
    for (int i = 0; i < 20; i++) {
      assertThat(waits(SECOND)).as("%d reads answered", i).isPositive();
      engine.sent(1_000, SECOND, MILLI, 7, 5_000 * MILLI);
      engine.closed(1_000, SECOND, Engine.Outcome.ANSWERED, new Ticket());
    }
    assertThat(waits(SECOND)).isZero();
    assertThat(waits(SECOND)).isPositive();
    reports(SECOND, THREADS / 2, 0);
    assertThat(waits(SECOND)).as("an idle node needs no budget").isZero();
    reports(SECOND, THREADS, 0);
    engine.signs().ended(FIRST);
    assertThat(waits(SECOND)).as("nor does a read at a dead one").isZero();
  }

  @Test
  void aRetryThatIsNotSentAfterAllReturnsItsToken() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    reports(SECOND, THREADS, 0);
    Retry retry = retry(SECOND);
    assertThat(retry.waitsNanos(now.get(), 0)).isZero();
    spend();
    assertThat(waits(SECOND)).isPositive();
    retry.unsent();
    retry.unsent();
    assertThat(waits(SECOND)).isZero();
    assertThat(waits(SECOND)).as("once").isPositive();
  }

  /** Nodes may have other numbers of read threads. */
  @Test
  void reportedWaitsCountForMoreThanTheNumberOfReads() {
    sent(FIRST);
    now.addAndGet(100 * MILLI);
    engine.signs().answered(FIRST, now.get());
    reports(SECOND, 1, MILLI);
    assertThat(waits(SECOND)).as("one thread, and a read waits").isPositive();
    reports(SECOND, 10 * THREADS, 0);
    assertThat(waits(SECOND)).as("many threads, and none waits").isZero();
  }

  @Test
  void aRequestSentToAllAtOnceDoesNotWait() {
    sent(FIRST);
    engine.signs().answered(FIRST, now.get() - MILLI);
    isBusy(SECOND);
    assertThat(waits(SECOND)).isZero();
  }

  @Test
  void readRepairAsksTheSameReplicaAndDoesNotWait() {
    sent(FIRST);
    assertThat(Retry.of(engine, plan, 0, FIRST, THREADS)).isNull();
  }

  /** A coordinator's own read that need not wait has no ticket. */
  @Test
  void readRepairAsksAReplicaAgainWhoseFirstReadHadNoTicket() {
    planned(2);
    plan.attempts().attempted(0, SELF);
    plan.attempts().attempted(0, FIRST);
    plan.sent(0, ID, now.get());
    engine.sent(ID, FIRST, MILLI, 7, 5_000 * MILLI);
    plan.attempts().attempted(0, SELF);
    assertThat(plan.attempts().isNext(0)).isTrue();
    assertThat(Retry.of(engine, plan, 0, SELF, THREADS)).isNull();
    assertThat(Retry.of(engine, plan, 0, FIRST, THREADS)).isNull();
    assertThat(Retry.of(engine, plan, 0, SECOND, THREADS)).isNotNull();
  }

  /** The third copy of a read is a repair. */
  @Test
  void onlyTheNextAttemptIsARetry() {
    sent(FIRST);
    plan.attempts().attempted(0, FIRST);
    assertThat(plan.attempts().isFirst(0)).isFalse();
    assertThat(plan.attempts().isNext(0)).isFalse();
  }
}
