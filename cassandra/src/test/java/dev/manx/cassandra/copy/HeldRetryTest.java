/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static dev.manx.cassandra.copy.CopyBench.FIRST;
import static dev.manx.cassandra.copy.CopyBench.HOME;
import static dev.manx.cassandra.copy.CopyBench.MILLI;
import static dev.manx.cassandra.copy.CopyBench.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.coordinate.HeldPlan;
import dev.manx.cassandra.coordinate.TestPlans;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.copy.CopyBench.Sent;
import dev.manx.cassandra.hold.HeldMessage;
import dev.manx.cassandra.hold.TestHolds;
import dev.manx.cassandra.tied.TestTies;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Ticket;
import java.net.UnknownHostException;
import org.apache.cassandra.db.ReadCommand;
import org.apache.cassandra.dht.Murmur3Partitioner.LongToken;
import org.apache.cassandra.exceptions.RequestFailureReason;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Stock's retry of a read waits at the coordinator: when the read's copy is due, the retry is sent
 * as that copy, so that no replica gets the read twice.
 */
@Timeout(60)
class HeldRetryTest {
  private CopyBench bench = new CopyBench("", Mode.ON);
  private HeldMessage retry;

  @AfterEach
  void close() {
    TestPlans.close();
  }

  private ThreadPlan plan(int first) {
    TestHolds.use(bench.engine);
    TestPlans.open(bench.engine, new LongToken(7), 1, false, first, SECOND);
    ThreadPlan plan = ThreadPlan.current();
    assertThat(HeldPlan.concerns(bench.engine, plan, 0, first)).isFalse();
    return plan;
  }

  /** A read sent to node 1, which works; two milliseconds later stock's retry to node 2 waits. */
  private Sent retried() {
    ThreadPlan plan = plan(FIRST);
    Sent read = bench.send(plan.flight(), plan.request(), 0);
    plan.sent(0, read.message().id(), bench.now.get());
    bench.pass(2 * MILLI);
    bench.callbacks.sentTwice(read.message().id());
    retries(plan, FIRST);
    return read;
  }

  private void retries(ThreadPlan plan, int first) {
    bench.engine.signs().answered(first, bench.now.get());
    bench.engine.state().apply(FactColumn.WORK_AHEAD, SECOND, MILLI, bench.now.get());
    assertThat(HeldPlan.concerns(bench.engine, plan, 0, SECOND)).isTrue();
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    Message<?> message = Message.builder(Verb.READ_REQ, (Object) command).from(second()).build();
    boolean held =
        HeldPlan.holds(
            bench.engine,
            plan,
            0,
            command,
            SECOND,
            message.id(),
            5_000 * MILLI,
            () ->
                retry =
                    TestHolds.message(
                        bench.engine, plan.holds(), message, second(), SECOND, MILLI));
    assertThat(held).isTrue();
  }

  private static InetAddressAndPort second() {
    try {
      return InetAddressAndPort.getByName("127.0.0.3");
    } catch (UnknownHostException e) {
      throw new IllegalStateException(e);
    }
  }

  private void retryEnds(Outcome outcome) {
    if (outcome == Outcome.FAILED) {
      bench.engine.failed(retry.id(), SECOND, RequestFailureReason.UNKNOWN, new Ticket());
    } else {
      bench.engine.closed(retry.id(), SECOND, outcome, new Ticket());
    }
  }

  private void assertSentAsCopy() {
    assertThat(bench.count(Counter.COPIES_SENT)).isEqualTo(1);
    assertThat(TestHolds.sent(bench.engine)).containsExactly(retry.id());
    assertThat(bench.callbacks.sent).as("no other copy").isEmpty();
    assertThat(bench.engine.holds().held()).isZero();
  }

  @Test
  void itIsSentAsTheCopyWhenThatIsDue() {
    Sent read = retried();
    bench.pass(7 * MILLI);
    assertThat(bench.count(Counter.COPIES_SENT)).as("not due yet").isZero();
    assertThat(TestHolds.sent(bench.engine)).isEmpty();
    bench.pass(100 * MILLI);
    assertSentAsCopy();
    retryEnds(Outcome.ANSWERED);
    assertThat(bench.count(Counter.COPIES_WON)).isEqualTo(1);
    assertThat(bench.answerOfFirst(read)).as("it keeps its own callback").isTrue();
    assertThat(bench.count(Counter.COPIES_OVERTAKEN)).as("Cassandra records it").isZero();
    bench.assertNothingLeft();
  }

  /** Its answer belongs to Cassandra's own callback. */
  @Test
  void cassandraGetsItsAnswer() {
    retried();
    bench.pass(20 * MILLI);
    Message<?> answer =
        Message.builder(Verb.READ_RSP, (Object) NoPayload.noPayload)
            .from(second())
            .withId(retry.id())
            .build();
    assertThat(bench.engine.copier().ends().take(answer)).isNull();
  }

  @Test
  void anAnswerAfterTheFirstOneIsWasted() {
    Sent read = retried();
    bench.pass(20 * MILLI);
    assertThat(bench.answerOfFirst(read)).isTrue();
    retryEnds(Outcome.ANSWERED);
    assertThat(bench.count(Counter.COPIES_WASTED)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  @Test
  void itsFailureAndItsTimeOutAreEndsOfACopy() {
    for (Outcome outcome : new Outcome[] {Outcome.FAILED, Outcome.TIMED_OUT}) {
      bench = new CopyBench("", Mode.ON);
      Sent read = retried();
      bench.pass(20 * MILLI);
      retryEnds(outcome);
      bench.expire();
      bench.callbacks.endOfFirst(read.message().id());
      Counter counter = outcome == Outcome.FAILED ? Counter.COPIES_FAILED : Counter.COPIES_LOST;
      assertThat(bench.count(counter)).as("%s", outcome).isEqualTo(1);
      bench.assertNothingLeft();
      TestPlans.close();
    }
  }

  @Test
  void itWaitsWhileTheBudgetRefusesTheCopy() {
    bench = new CopyBench(", burst: 1, budget: 0, rescues: 0", Mode.ON);
    bench.single();
    bench.pass(20 * MILLI);
    assertThat(bench.count(Counter.COPIES_SENT)).isEqualTo(1);
    retried();
    bench.pass(20 * MILLI);
    assertThat(bench.count(Counter.COPIES_SENT)).isEqualTo(1);
    assertThat(bench.count(Counter.COPIES_SUPPRESSED)).isPositive();
    assertThat(retry.isHeld()).isTrue();
  }

  /** Its node may have died since Cassandra chose it. */
  @Test
  void itIsNotSentToADeadNodeAsACopy() {
    retried();
    bench.callbacks.dead.add(second());
    bench.pass(15 * MILLI);
    assertThat(retry.isHeld()).isTrue();
    assertThat(bench.count(Counter.COPIES_SUPPRESSED)).isPositive();
  }

  @Test
  void aReadWhoseRetryHasLeftIsNotCopied() {
    retried();
    assertThat(bench.engine.holds().release(retry)).as("by its own rules").isTrue();
    bench.pass(100 * MILLI);
    assertThat(bench.count(Counter.COPIES_SENT)).isZero();
    assertThat(bench.callbacks.sent).isEmpty();
  }

  /** The timer of held reads checks it just then, and lets it wait again. */
  @Test
  void aRetryThatAnotherThreadChecksIsTheCopyAfterwards() {
    bench = new CopyBench(", burst: 1, budget: 0, rescues: 0", Mode.ON);
    retried();
    bench.callbacks.onAlive =
        () -> {
          bench.callbacks.onAlive = () -> {};
          assertThat(TestHolds.claim(retry)).isTrue();
        };
    for (int tick = 0; tick < 100 && retry.isHeld(); tick++) {
      bench.pass(MILLI);
    }
    assertThat(retry.isHeld()).as("claimed when the copy was due").isFalse();
    assertThat(bench.count(Counter.COPIES_SENT)).isZero();
    assertThat(bench.engine.copier().underWay()).isZero();
    TestHolds.unclaim(retry);
    bench.pass(5 * MILLI);
    assertSentAsCopy();
    retryEnds(Outcome.ANSWERED);
    assertThat(bench.count(Counter.COPIES_WON)).isEqualTo(1);
  }

  /** Without a ticket its end would remain unknown. */
  @Test
  void aRetryWithoutATicketIsNotCounted() {
    retried();
    for (long id = 1; bench.engine.sent(id, HOME, MILLI, 7, 5_000 * MILLI); id++) {}
    bench.pass(20 * MILLI);
    assertThat(TestHolds.sent(bench.engine)).containsExactly(retry.id());
    assertThat(bench.count(Counter.COPIES_SENT)).isZero();
    assertThat(bench.engine.copier().underWay()).isZero();
  }

  /**
   * The request has room for the answers of all whom stock asked, so also if the read has begun.
   */
  @Test
  void itIsTheCopyOfAReadAtHomeToo() {
    SentRead read = retriedAtHome();
    assertThat(read.start()).isTrue();
    bench.pass(20 * MILLI);
    assertSentAsCopy();
    retryEnds(Outcome.ANSWERED);
    assertThat(bench.callbacks.tookNanos).as("Cassandra records it").isEmpty();
    bench.endAtHome(read, true);
    assertThat(bench.count(Counter.COPIES_WON)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  @Test
  void aReadThatWaitsAtHomeNeedNotRunAfterTheAnswerOfItsRetry() {
    SentRead read = retriedAtHome();
    bench.pass(20 * MILLI);
    assertSentAsCopy();
    retryEnds(Outcome.ANSWERED);
    assertThat(read.start()).isFalse();
    assertThat(bench.callbacks.tookNanos).as("its time so far").containsExactly(22 * MILLI);
    bench.endAtHome(read, false);
    assertThat(bench.count(Counter.COPIES_WON)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  /** Cassandra then waits for the read at home. */
  @Test
  void aReadAtHomeRunsIfItsRetryWasAborted() {
    SentRead read = retriedAtHome();
    bench.pass(20 * MILLI);
    Message<?> aborted =
        Message.builder(Verb.READ_RSP, (Object) NoPayload.noPayload)
            .from(second())
            .withId(retry.id())
            .withParam(ParamType.TOMBSTONE_FAIL, 1)
            .build();
    assertThat(bench.engine.copier().ends().take(aborted)).isNull();
    retryEnds(Outcome.ANSWERED);
    assertThat(bench.count(Counter.COPIES_FAILED)).isEqualTo(1);
    assertThat(read.start()).isTrue();
    bench.endAtHome(read, true);
    assertThat(bench.count(Counter.COPIES_WON)).isZero();
    bench.assertNothingLeft();
  }

  private SentRead retriedAtHome() {
    ThreadPlan plan = plan(HOME);
    bench.callbacks.ofHome = bench.candidates();
    ReadCommand command = TestSchema.command("SELECT * FROM ks.plain WHERE k = 1");
    SentRead read =
        bench
            .engine
            .copier()
            .atHome(plan.flight(), plan.request(), 0, command, bench.waiting(command), -1);
    bench.engine.sent(-1, HOME, MILLI, 7, 5_000 * MILLI);
    plan.sent(0, -1, bench.now.get());
    bench.pass(2 * MILLI);
    bench.callbacks.ofHome = null;
    retries(plan, HOME);
    return read;
  }

  @Test
  void itRescuesATiedReadFromAStalledReplica() {
    bench = new CopyBench("fanout.tied", ", sender: replica, rescues: 2", Mode.ON);
    TestTies.use(bench.engine, bench.callbacks);
    bench.hearOthers();
    for (int i = 0; i < 120; i++) {
      Sent quick = bench.single();
      bench.pass(MILLI);
      bench.answerOfFirst(quick);
    }
    bench.engine.strategy().planner().tick(bench.engine.state(), bench.now.get());
    retried();
    bench.pass(3 * MILLI);
    assertSentAsCopy();
  }
}
