/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static dev.manx.cassandra.copy.CopyBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.copy.CopyBench.Sent;
import dev.manx.policy.Request;
import dev.manx.policy.facts.Tag;
import dev.manx.policy.facts.TagCodec;
import dev.manx.policy.facts.Ticket;
import java.net.UnknownHostException;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The ends of a read and its second copy. */
class CopierTest {
  private CopyBench bench = new CopyBench("", Mode.ON);

  @Test
  void aLateReadGoesToTheNextReplicaOnceAndItsAnswerWins() {
    Sent read = bench.single();
    bench.pass(9 * MILLI);
    assertThat(bench.callbacks.sent).as("not late yet").isEmpty();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).as("one copy, ever").hasSize(1);
    assertThat(bench.callbacks.targets.get(0).getHostAddress(false)).isEqualTo("127.0.0.3");
    Message<?> copy = bench.callbacks.sent.get(0);
    assertThat(copy.id()).isNotEqualTo(read.message().id());
    assertThat(copy.payload).isSameAs(read.message().payload);
    assertThat(copy.expiresAtNanos()).isEqualTo(read.message().expiresAtNanos());
    assertThat(bench.engine.state().tickets().size()).isEqualTo(2);

    assertThat(bench.answerOfSecond(copy, false)).isTrue();
    assertThat(bench.callbacks.filledBySecond).hasValue(1);
    assertThat(bench.callbacks.tookNanos).as("the first copy's time is unknown").isEmpty();
    bench.pass(50 * MILLI);
    assertThat(bench.answerOfFirst(read)).as("dropped by Cassandra").isFalse();
    assertThat(bench.callbacks.tookNanos).containsExactly(159 * MILLI);
    assertThat(bench.count(Counter.COPIES_WON)).isEqualTo(1);
    assertThat(bench.count(Counter.COPIES_OVERTAKEN)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  @Test
  void anAnswerInTimeSendsNothing() {
    Sent read = bench.single();
    bench.pass(5 * MILLI);
    assertThat(bench.answerOfFirst(read)).isTrue();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.count(Counter.COPIES_INELIGIBLE)).isZero();
    bench.assertNothingLeft();
  }

  @Test
  void aCopyThatComesSecondIsWasted() {
    Sent read = bench.single();
    bench.pass(20 * MILLI);
    assertThat(bench.answerOfFirst(read)).isTrue();
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false)).isTrue();
    assertThat(bench.callbacks.filledBySecond).hasValue(0);
    assertThat(bench.count(Counter.COPIES_WASTED)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  @Test
  void aCopyThatFailsLeavesTheReadToTheFirst() {
    Sent read = bench.single();
    bench.pass(20 * MILLI);
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), true)).isTrue();
    assertThat(bench.callbacks.open()).as("still waits").isEqualTo(1);
    assertThat(bench.answerOfFirst(read)).isTrue();
    assertThat(bench.count(Counter.COPIES_FAILED)).isEqualTo(1);
    assertThat(bench.count(Counter.COPIES_SENT)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  @Test
  void unansweredReadsEndWithTheirTickets() {
    Sent read = bench.single();
    bench.pass(20 * MILLI);
    bench.callbacks.endOfFirst(read.message().id());
    bench.expire();
    assertThat(bench.count(Counter.COPIES_LOST)).isEqualTo(1);
    assertThat(bench.callbacks.tookNanos).as("Cassandra's own expiry enters it").isEmpty();
    bench.assertNothingLeft();
  }

  @Test
  void aFirstCopyThatNeverAnswersCountsForTheSnitch() {
    bench.single();
    bench.pass(20 * MILLI);
    bench.answerOfSecond(bench.callbacks.sent.get(0), false);
    bench.pass(30 * MILLI);
    bench.expire();
    assertThat(bench.callbacks.tookNanos).containsExactly(50 * MILLI);
    bench.assertNothingLeft();
  }

  @Test
  void aReadOfANodeThatDiedIsCopiedNevertheless() {
    Sent read = bench.single();
    bench.pass(5 * MILLI);
    bench.engine.closed(read.message().id(), CopyBench.FIRST, Outcome.CANCELLED, new Ticket());
    bench.pass(20 * MILLI);
    bench.answerOfSecond(bench.callbacks.sent.get(0), false);
    assertThat(bench.callbacks.filledBySecond).hasValue(1);
    bench.assertNothingLeft();
  }

  @Test
  void aDeadReplicaGetsNoCopyUntilItIsBack() throws UnknownHostException {
    Sent read = bench.single();
    InetAddressAndPort spare = InetAddressAndPort.getByName("127.0.0.3");
    bench.callbacks.dead.add(spare);
    bench.pass(15 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.count(Counter.COPIES_SUPPRESSED)).isEqualTo(1);
    bench.callbacks.dead.remove(spare);
    bench.pass(15 * MILLI);
    assertThat(bench.callbacks.sent).hasSize(1);
    bench.answerOfSecond(bench.callbacks.sent.get(0), false);
    bench.answerOfFirst(read);
    bench.assertNothingLeft();
  }

  @Test
  void readsOfANodeThatStopsAnsweringAreCopiedBeforeTheyAreLate() {
    bench = new CopyBench(", first-delay: 1s, after: 0.9999, rescues: 5", Mode.ON);
    Sent slow = bench.single();
    for (int i = 0; i < 120; i++) {
      Sent quick = bench.single();
      bench.pass(MILLI);
      bench.answerOfFirst(quick);
    }
    bench.answerOfFirst(slow);
    bench.engine.strategy().planner().tick(bench.engine.state(), bench.now.get());
    bench.single();
    bench.single();
    bench.pass(MILLI);
    assertThat(bench.callbacks.sent).as("the node may still answer").isEmpty();
    bench.pass(4 * MILLI);
    assertThat(bench.callbacks.sent).as("silent for much longer than a millisecond").hasSize(2);
  }

  @Test
  void afterAPauseOfTheProcessTheAnswersThatItMissedComeFirst() {
    Sent answered = bench.single();
    bench.single();
    bench.now.addAndGet(60 * MILLI);
    bench.engine.copier().advance(bench.now.get());
    assertThat(bench.callbacks.sent).as("due, but nothing could be read").isEmpty();
    bench.answerOfFirst(answered);
    bench.pass(25 * MILLI);
    assertThat(bench.callbacks.sent).as("the other one is late").hasSize(1);
  }

  @Test
  void theBudgetSuppressesCopiesAndIsAskedAgainLater() {
    bench = new CopyBench(", burst: 2, budget: 1", Mode.ON);
    for (int i = 0; i < 3; i++) {
      bench.single();
    }
    bench.pass(15 * MILLI);
    assertThat(bench.callbacks.sent).hasSize(2);
    assertThat(bench.count(Counter.COPIES_SUPPRESSED)).isEqualTo(1);
    bench.answerOfFirst(bench.single());
    bench.pass(15 * MILLI);
    assertThat(bench.callbacks.sent).as("one in time pays for one copy").hasSize(3);
  }

  /** No answer would refill the budget. */
  @Test
  void aCopyWithoutATicketIsNotSentAndCostsNoBudget() {
    bench = new CopyBench(", burst: 1, budget: 0, rescues: 0", Mode.ON);
    bench.single();
    long tickets = 0;
    while (bench.engine.sent(--tickets, CopyBench.FIRST, MILLI, 7, 5_000 * MILLI)) {}
    bench.pass(15 * MILLI);
    assertThat(bench.callbacks.sent).as("no room").isEmpty();
    assertThat(bench.count(Counter.COPIES_OVERFLOWED)).isEqualTo(1);
    for (long id = tickets + 1; id < 0; id++) {
      bench.engine.closed(id, CopyBench.FIRST, Outcome.CANCELLED, new Ticket());
    }
    bench.single();
    bench.pass(15 * MILLI);
    assertThat(bench.callbacks.sent).as("the budget still has its copy").hasSize(1);
    bench.single();
    bench.pass(15 * MILLI);
    assertThat(bench.callbacks.sent).as("and no other").hasSize(1);
  }

  @Test
  void noCopyAfterOffOrAfterTheRequest() {
    bench.single();
    bench.off.set(true);
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).as("off").isEmpty();
    bench.off.set(false);
    bench.single().flight().over();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).as("the request has its result").isEmpty();
  }

  @Test
  void offInTheMiddleLeavesTheFirstCopyAlone() {
    Sent read = bench.single();
    bench.pass(20 * MILLI);
    bench.off.set(true);
    bench.engine.copier().callbacks(null);
    bench.engine.copier().ends().forget(() -> bench.engine.counters().count(Counter.COPIES_LOST));
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false))
        .as("an answer that Cassandra drops")
        .isFalse();
    assertThat(bench.callbacks.endOfFirst(read.message().id())).isTrue();
    assertThat(bench.addsUp()).isTrue();
    assertThat(bench.engine.copier().underWay()).isZero();
  }

  @Test
  void shadowModeCountsAndSendsNothing() {
    bench = new CopyBench("", Mode.SHADOW);
    Sent read = bench.single();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.count(Counter.COPIES_SENT)).isEqualTo(1);
    assertThat(bench.answerOfFirst(read)).isTrue();
    assertThat(bench.engine.state().tickets().size()).isZero();
  }

  @Test
  void aReadThatWaitsAtHomeIsNotRunOnceItsCopyHasAnswered() {
    SentRead read = bench.atHome();
    bench.pass(20 * MILLI);
    assertThat(bench.callbacks.targets.get(0).getHostAddress(false)).isEqualTo("127.0.0.3");
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false)).isTrue();
    assertThat(bench.callbacks.answeredAtHome).hasValue(1);
    assertThat(read.start()).as("need not run").isFalse();
    bench.endAtHome(read, false);
    assertThat(bench.count(Counter.COPIES_WON)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  @Test
  void aCopyAnswersForAReadThatRunsAtHome() {
    SentRead read = bench.atHome();
    bench.pass(20 * MILLI);
    assertThat(read.start()).isTrue();
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false)).isTrue();
    assertThat(bench.callbacks.answeredAtHome).hasValue(1);
    assertThat(bench.callbacks.tookNanos).as("Cassandra records its time").isEmpty();
    bench.endAtHome(read, true);
    assertThat(bench.count(Counter.COPIES_WON)).isEqualTo(1);
    assertThat(bench.count(Counter.COPIES_OVERTAKEN)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  /** The request keeps both answers, and perhaps a third one: stock may send the read again. */
  @ParameterizedTest
  @CsvSource({"2, 0", "3, 1"})
  void aReadThatRunsAtHomeIsCopiedIfItsRequestHasRoom(int candidates, int copies) {
    SentRead begun = bench.atHome();
    bench.callbacks.ofHome = bench.candidates().subList(0, candidates);
    assertThat(begun.start()).isTrue();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).hasSize(copies);
    bench.endAtHome(begun, true);
    assertThat(bench.count(Counter.FAULTS)).isZero();
  }

  @Test
  void aReadThatRunsAtHomeAndThatStockSentAgainIsNotAnsweredByItsCopy() {
    SentRead read = bench.atHome();
    bench.pass(20 * MILLI);
    assertThat(read.start()).isTrue();
    bench.callbacks.ofHome = null;
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false)).isTrue();
    assertThat(bench.callbacks.answeredAtHome).hasValue(0);
    bench.endAtHome(read, true);
    assertThat(bench.count(Counter.COPIES_WASTED)).isEqualTo(1);
    bench.assertNothingLeft();
  }

  @Test
  void aReadAtHomeThatIsNeverRunHarmsNothingOnceItsCopyHasAnswered() {
    bench.atHome();
    bench.pass(20 * MILLI);
    bench.answerOfSecond(bench.callbacks.sent.get(0), false);
    assertThat(bench.callbacks.tookNanos).as("of this node").containsExactly(20 * MILLI);
    bench.expire();
    assertThat(bench.callbacks.tookNanos).hasSize(1);
    assertThat(bench.count(Counter.FAULTS)).isZero();
    bench.assertNothingLeft();
  }

  @Test
  void aCopyOfAReadAtHomeExpiresWithIt() {
    SentRead read = bench.atHome();
    bench.pass(20 * MILLI);
    assertThat(bench.callbacks.sent.get(0).expiresAtNanos())
        .isEqualTo(Verb.READ_REQ.expiresAtNanos(read.sentNanos));
  }

  @Test
  void aCopyThatItsReplicaAbortsLeavesTheReadToTheFirst() {
    Sent read = bench.single();
    bench.pass(20 * MILLI);
    bench.abortOfSecond(bench.callbacks.sent.get(0));
    assertThat(bench.callbacks.open()).as("still waits").isEqualTo(1);
    assertThat(bench.answerOfFirst(read)).isTrue();
    SentRead atHome = bench.atHome();
    bench.pass(20 * MILLI);
    bench.abortOfSecond(bench.callbacks.sent.get(1));
    assertThat(bench.callbacks.answeredAtHome).hasValue(0);
    assertThat(atHome.start()).as("is run").isTrue();
    bench.endAtHome(atHome, true);
    assertThat(bench.count(Counter.COPIES_FAILED)).isEqualTo(2);
    bench.assertNothingLeft();
  }

  @Test
  void aCopyIsRankedByTheRemainderAndJoinsNoRequest() {
    bench = new CopyBench(", rank: brb-equalmax, longest-first: true", Mode.ON);
    bench.single();
    bench.pass(200 * MILLI);
    byte[] bytes = bench.callbacks.sent.get(0).header.customParams().get("manx");
    Tag tag = new Tag();
    assertThat(TagCodec.decode(bytes, Request.Unit.NANOS, tag)).isTrue();
    assertThat(tag.requestId).isZero();
    assertThat(tag.priority).isPositive();
  }
}
