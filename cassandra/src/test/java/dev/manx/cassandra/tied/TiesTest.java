/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import static dev.manx.cassandra.tied.TiedBench.MILLI;
import static dev.manx.cassandra.tied.TiedBench.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.copy.AskingPlanner;
import dev.manx.cassandra.tied.TiedBench.Sent;
import dev.manx.cassandra.wire.CustomMap;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.LocalLoad;
import dev.manx.policy.facts.Tag;
import dev.manx.policy.facts.TagCodec;
import dev.manx.policy.facts.Ticket;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.NoPayload;
import org.apache.cassandra.net.ParamType;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TiesTest {
  private TiedBench bench = new TiedBench("", Mode.ON);

  private Message<?> copy() {
    return bench.ofFirst.sent.get(bench.ofFirst.sent.size() - 1);
  }

  /** A read that waits at its first replica and was passed on. */
  private TiedRead passedOn(Sent sent) {
    TiedRead read = bench.queuedAtFirst(sent);
    bench.pass(3 * MILLI);
    assertThat(bench.ofFirst.sent).isNotEmpty();
    return read;
  }

  private void assertNothingLeft() {
    assertThat(bench.coordinator.state().tickets().size()).isZero();
    assertThat(bench.ties().slots().size()).isZero();
    assertThat(bench.ofPeer().copies().size()).isZero();
    assertThat(bench.first.load().workAheadNanos()).isZero();
    assertThat(bench.peer.load().workAheadNanos()).isZero();
  }

  @Test
  void aReadIsPassedOnOnceWhenItHasWaitedForItsStagger() {
    bench = new TiedBench(", stagger: 5ms", Mode.ON);
    Sent sent = bench.send();
    bench.queuedAtFirst(sent);
    bench.pass(4 * MILLI);
    assertThat(bench.ofFirst.sent).as("not yet").isEmpty();
    bench.pass(100 * MILLI);
    assertThat(bench.ofFirst.sent).as("once").hasSize(1);
    assertThat(bench.ofFirst.targets).containsExactly(bench.endpoint(TiedBench.PEER));
    Message<?> copy = copy();
    assertThat(copy.id()).isNotEqualTo(sent.message().id());
    assertThat(copy.payload).isSameAs(sent.message().payload);
    assertThat(copy.expiresAtNanos()).isEqualTo(sent.message().expiresAtNanos());
    assertThat(CustomMap.tie(copy.header, true)).as("a copy is not passed on").isNull();
    TieForm.Copied copied = TieForm.copied(CustomMap.copied(copy.header));
    assertThat(copied.coordinator()).isEqualTo(bench.endpoint(TiedBench.HOME));
    assertThat(copied.id()).isEqualTo(sent.message().id());
    assertThat(copied.ageNanos()).isBetween(5 * MILLI, 7 * MILLI);
    Tag tag = new Tag();
    assertThat(TagCodec.decode(CustomMap.tag(copy.header, true), Unit.NANOS, tag)).isTrue();
    assertThat(tag.priority).isEqualTo(5 * MILLI);
    assertThat(tag.requestId).as("it queues behind the peer's own reads").isZero();
    assertThat(bench.queuedAtPeer(copy).ageNanos()).isEqualTo(copied.ageNanos());
  }

  /** Otherwise one coordinator's staggers would fill the timer that all others use. */
  @Test
  void aReadThatExpiresWithinItsStaggerIsNotArmed() {
    bench = new TiedBench(", stagger: 1min", Mode.ON);
    Sent sent = bench.send();
    bench.now.set(sent.message().expiresAtNanos() - 70_000 * MILLI);
    bench.queuedAtFirst(sent);
    assertThat(bench.first.ties().passedOn().armed()).isEqualTo(1);
    bench.now.set(sent.message().createdAtNanos());
    TiedRead read = bench.queuedAtFirst(sent);
    assertThat(bench.first.ties().passedOn().armed()).isEqualTo(1);
    assertThat(read.start()).as("it is served here").isTrue();
  }

  /** There a copy would take CPU from the reads that it is to relieve. */
  @Test
  void aReadIsNotOfferedToANodeWhoseCoresAreBusy() {
    bench.coordinator.state().apply(FactColumn.CORES_IN_USE, TiedBench.PEER, 800, bench.now.get());
    assertThat(bench.send().tie()).isSameAs(Offers.HELD_BACK);
    assertThat(count(bench.coordinator, Counter.COPIES_SUPPRESSED)).isEqualTo(1);
    assertThat(count(bench.coordinator, Counter.COPIES_OFFERED)).isZero();
    assertThat(bench.ties().slots().size()).isZero();

    bench.coordinator.state().apply(FactColumn.CORES_IN_USE, TiedBench.PEER, 700, bench.now.get());
    assertThat(bench.send().tie()).isNotEmpty();
    assertThat(count(bench.coordinator, Counter.COPIES_OFFERED)).isEqualTo(1);
  }

  @Test
  void aReadThatStartsInTimeIsNotPassedOn() {
    TiedRead read = bench.queuedAtFirst(bench.send());
    assertThat(read.start()).isTrue();
    bench.pass(100 * MILLI);
    assertThat(bench.ofFirst.sent).isEmpty();
    assertThat(bench.recalls).hasValue(0);
  }

  @Test
  void aCopyThatStartsFirstAnswersTheCoordinatorAndTheReadIsNotRun() {
    Sent sent = bench.send();
    TiedRead read = passedOn(sent);
    bench.first.load().countedBy(oneRead());
    TiedRead copy = bench.queuedAtPeer(copy());
    assertThat(copy.start()).isTrue();
    bench.peer.load().started(TiedBench.COST * MILLI);
    assertThat(bench.serveAtPeer(copy())).isTrue();
    Message<?> asked = bench.read.get(0);
    assertThat(asked.from()).isEqualTo(bench.endpoint(TiedBench.HOME));
    assertThat(asked.id()).isEqualTo(sent.message().id());
    assertThat(asked.header.customParams()).isNull();
    assertThat(bench.first.load().workAheadNanos()).as("its work was removed").isZero();
    assertThat(bench.first.load().pendingReads()).as("only its ticket is left").isZero();
    assertThat(read.start()).isFalse();

    bench.pass(7 * MILLI);
    assertThat(bench.answerOfPeer(asked.id())).isTrue();
    assertThat(bench.callbacks.filledBySecond).hasValue(1);
    assertThat(bench.callbacks.tookNanos).as("for the first replica").containsExactly(10 * MILLI);
    assertThat(count(bench.first, Counter.READS_CEDED)).isEqualTo(1);
    assertThat(count(bench.peer, Counter.COPIES_STARTED)).isEqualTo(1);
    assertThat(count(bench.coordinator, Counter.COPIES_WON)).isEqualTo(1);
    assertThat(count(bench.coordinator, Counter.TICKETS_CANCELLED)).isEqualTo(1);
    assertNothingLeft();
  }

  /** A stage with one read. */
  private static LocalLoad.Stage oneRead() {
    return new LocalLoad.Stage() {
      @Override
      public long pendingReads() {
        return 1;
      }

      @Override
      public long completedReads() {
        return 0;
      }
    };
  }

  @Test
  void aReadThatStartsFirstRecallsItsCopy() {
    Sent sent = bench.send();
    TiedRead read = passedOn(sent);
    TiedRead copy = bench.queuedAtPeer(copy());
    assertThat(read.start()).isTrue();
    bench.first.load().started(TiedBench.COST * MILLI);
    assertThat(copy.start()).isFalse();
    assertThat(bench.answerOfFirst(sent)).isTrue();
    assertThat(count(bench.first, Counter.COPIES_RECALLED)).isEqualTo(1);
    assertThat(count(bench.peer, Counter.COPIES_CANCELLED)).isEqualTo(1);
    assertThat(count(bench.first, Counter.COPIES_BOTH_RAN)).isZero();
    assertNothingLeft();
  }

  @Test
  void aRecallThatOvertakesItsCopyStopsItWaitingOrNot() {
    TiedRead read = passedOn(bench.send());
    read.start();
    assertThat(bench.queuedAtPeer(copy()).start()).as("one that waits").isFalse();
    TiedRead other = passedOn(bench.send());
    other.start();
    assertThat(bench.serveAtPeer(copy())).as("one that need not wait").isFalse();
    assertThat(count(bench.peer, Counter.COPIES_CANCELLED)).isEqualTo(2);
    assertThat(count(bench.peer, Counter.COPIES_STARTED)).isZero();
  }

  @Test
  void withoutNoticesBothRunAndOneAnswerCounts() {
    bench.loseNotices.set(true);
    Sent sent = bench.send();
    TiedRead read = passedOn(sent);
    assertThat(bench.serveAtPeer(copy())).isTrue();
    assertThat(read.start()).isTrue();
    assertThat(bench.answerOfFirst(sent)).isTrue();
    assertThat(bench.answerOfPeer(sent.message().id())).as("Cassandra drops it").isFalse();
    assertThat(bench.callbacks.filledBySecond).hasValue(0);
    bench.hearStarted(copy().id());
    bench.hearStarted(copy().id());
    assertThat(count(bench.first, Counter.COPIES_BOTH_RAN)).as("counted once").isEqualTo(1);
  }

  @Test
  void aCopyThatFailsGivesTheReadBack() {
    Sent sent = bench.send();
    TiedRead read = passedOn(sent);
    bench.serveAtPeer(copy());
    assertThat(read.claim.isCeded()).isTrue();
    assertThat(bench.first.ties().take(bench.answer(TiedBench.PEER, Verb.FAILURE_RSP, copy().id())))
        .isTrue();
    assertThat(bench.first.load().workAheadNanos()).isEqualTo(TiedBench.COST * MILLI);
    assertThat(read.start()).isTrue();
    assertThat(bench.recalls).as("there is nothing to recall").hasValue(0);
    assertThat(bench.callbacks.open()).as("the request still waits").isEqualTo(1);
    assertThat(count(bench.first, Counter.COPIES_FAILED)).isEqualTo(1);
  }

  /** To Cassandra an aborted read is an answer, and the request would fail by it. */
  @Test
  void aCopyThatItsReplicaAbortsGivesTheReadBack() {
    bench.peerAborts.set(true);
    Sent sent = bench.send();
    TiedRead read = passedOn(sent);
    assertThat(bench.serveAtPeer(copy())).isTrue();
    assertThat(read.claim.isCeded()).isTrue();
    assertThat(bench.aborted).as("the coordinator gets no answer").isEmpty();
    assertThat(bench.receiverOfFailure()).isEqualTo(copy().from());
    assertThat(bench.first.ties().take(bench.failureOfPeer())).isTrue();
    assertThat(bench.first.load().workAheadNanos()).isEqualTo(TiedBench.COST * MILLI);
    assertThat(read.start()).isTrue();
    assertThat(count(bench.first, Counter.COPIES_FAILED)).isEqualTo(1);
    assertThat(count(bench.coordinator, Counter.COPIES_WON)).isZero();
    assertThat(bench.answerOfFirst(sent)).as("the request still waits").isTrue();
  }

  /** A replica that aborts reads at once has an empty queue, and would attract copies. */
  @Test
  void copiesThatAreAbortedEndCopies() {
    bench = new TiedBench(", most-in-vain: 1%", Mode.ON);
    bench.peerAborts.set(true);
    for (int i = 0; i < 100; i++) {
      TiedRead read = bench.queuedAtFirst(bench.send());
      int before = bench.ofFirst.sent.size();
      bench.pass(3 * MILLI);
      if (bench.ofFirst.sent.size() > before) {
        bench.serveAtPeer(copy());
        assertThat(bench.first.ties().take(bench.failureOfPeer())).isTrue();
      }
      assertThat(read.start()).isTrue();
    }
    assertThat(bench.ofFirst.sent).hasSizeLessThan(20);
    assertThat(bench.aborted).isEmpty();
  }

  @Test
  void anAbortedReadThatIsNoCopyIsAnsweredAsInStock() {
    Message<?> answer =
        Message.builder(bench.answer(TiedBench.PEER, Verb.READ_RSP, 1))
            .withParam(ParamType.TOMBSTONE_FAIL, 7)
            .build();
    assertThat(bench.ofPeer().aborted(answer, bench.endpoint(TiedBench.HOME))).isFalse();
    passedOn(bench.send());
    bench.serveAtPeer(copy());
    assertThat(bench.ofPeer().aborted(answer, bench.endpoint(TiedBench.HOME)))
        .as("after a copy")
        .isFalse();
  }

  /** The read's turn at its first replica comes while its copy runs. */
  private FirstRead skipped(Sent sent) {
    FirstRead read = (FirstRead) passedOn(sent);
    bench.serveAtPeer(copy());
    assertThat(read.start()).isFalse();
    return read;
  }

  private boolean copyFails(long copyId) {
    return bench.first.ties().take(bench.answer(TiedBench.PEER, Verb.FAILURE_RSP, copyId));
  }

  @Test
  void aCopyThatFailsAfterTheReadsTurnWasSkippedHasTheReadServedAfterAll() {
    Sent sent = bench.send();
    skipped(sent);
    long copyId = copy().id();
    assertThat(copyFails(copyId)).isTrue();
    assertThat(bench.ofFirst.served).hasSize(1);
    Message<?> served = bench.ofFirst.served.get(0);
    assertThat(served.payload).isSameAs(sent.message().payload);
    assertThat(served.id()).isEqualTo(sent.message().id());
    assertThat(served.from()).isEqualTo(bench.endpoint(TiedBench.HOME));
    assertThat(copyFails(copyId)).as("only once").isFalse();
    assertThat(bench.ofFirst.sent).as("the request does not fail").hasSize(1);
  }

  @Test
  void aReadWhoseCopyFailsAfterItsExpiryIsNotServed() {
    Sent sent = bench.send();
    skipped(sent);
    bench.now.set(sent.message().expiresAtNanos());
    assertThat(copyFails(copy().id())).isTrue();
    assertThat(bench.ofFirst.served).isEmpty();
  }

  /** Commands of all skipped reads would need too much memory at a node that passes most on. */
  @Test
  void aCopyThatFailsLongAfterTheReadsTurnWasSkippedFailsTheRead() {
    bench = new TiedBench(", burst: 100000, most-in-vain: 100%", Mode.ON);
    Sent sent = bench.send();
    FirstRead read = skipped(sent);
    long copyId = copy().id();
    for (int i = 0; i < PassedOn.MOST_SKIPPED; i++) {
      assertThat(read.message().payload).isSameAs(sent.message().payload);
      skipped(bench.send());
    }
    assertThat(read.message().payload).as("kept until it expires").isSameAs(NoPayload.noPayload);
    assertThat(copyFails(copyId)).isTrue();
    assertThat(bench.ofFirst.served).isEmpty();
    Message<?> failure = copy();
    assertThat(failure.verb()).isEqualTo(Verb.FAILURE_RSP);
    assertThat(failure.id()).isEqualTo(sent.message().id());
    assertThat(bench.ofFirst.targets).last().isEqualTo(bench.endpoint(TiedBench.HOME));
  }

  /** Otherwise a replica that mostly cedes its reads, or mostly serves copies, looks stalled. */
  @Test
  void theAnswerOfACopyIsASignOfLifeOfBothReplicas() {
    bench = new TiedBench("fanout.asking-tied", "", Mode.ON);
    bench.pass(MILLI);
    Sent sent = bench.send();
    passedOn(sent);
    bench.serveAtPeer(copy());
    AskingPlanner.HEARD.clear();
    assertThat(bench.answerOfPeer(sent.message().id())).isTrue();
    assertThat(AskingPlanner.HEARD)
        .containsOnly(
            Map.entry(TiedBench.PEER, bench.now.get()), Map.entry(TiedBench.FIRST, MILLI));
  }

  /** The read starts while the timer passes it on. */
  @Test
  void aCopyThatWasNotSentIsNotRecalledAndItsTokenReturns() {
    bench = new TiedBench(", burst: 1, budget: 0", Mode.ON);
    Sent sent = bench.send();
    TiedRead read = bench.queuedAtFirst(sent);
    bench.ofFirst.onAlive = read::start;
    bench.pass(3 * MILLI);
    bench.ofFirst.onAlive = () -> {};
    assertThat(bench.ofFirst.sent).isEmpty();
    assertThat(count(bench.first, Counter.COPIES_RECALLED)).isZero();
    assertThat(count(bench.first, Counter.COPIES_PASSED_ON)).isZero();
    passedOn(bench.send());
    assertThat(count(bench.first, Counter.COPIES_PASSED_ON)).isEqualTo(1);
  }

  /** Cassandra delivers the notice of the start and the failure on two threads. */
  @Test
  void aCopyThatFailsWhileItsNoticeIsHandledGivesTheReadBack() {
    bench.loseNotices.set(true);
    Sent sent = bench.send();
    FirstRead read = (FirstRead) passedOn(sent);
    long copyId = copy().id();
    bench.serveAtPeer(copy());
    bench.first.ties().take(bench.answer(TiedBench.PEER, Verb.FAILURE_RSP, copyId));
    bench.first.ties().passedOn().started(read, copyId);
    assertThat(bench.first.load().workAheadNanos()).isEqualTo(TiedBench.COST * MILLI);
    assertThat(read.start()).as("no other replica serves it").isTrue();
  }

  /** Otherwise a coordinator whose reads wait learns no sizes from those that copies answer. */
  @Test
  void theAnswerOfACopyTeachesTheSizeOfItsKey() {
    bench = TiedBench.withSizes();
    Sent sent = bench.send();
    passedOn(sent);
    bench.serveAtPeer(copy());
    assertThat(bench.resultOfPeer(sent.message().id())).isTrue();
    assertThat(bench.coordinator.strategy().isLarge(null, TiedBench.KEY_HASH)).isTrue();
    assertThat(count(bench.coordinator, Counter.SIZES_LEARNED_FROM_READS)).isEqualTo(1);
  }

  @Test
  void theAnswerOfAPeerWithoutManxIsDroppedAndCountsAsWasted() {
    Sent sent = bench.send();
    TiedRead read = passedOn(sent);
    assertThat(bench.first.ties().take(bench.answer(TiedBench.PEER, Verb.READ_RSP, copy().id())))
        .isTrue();
    assertThat(read.start()).isTrue();
    assertThat(bench.answerOfFirst(sent)).isTrue();
    assertThat(count(bench.first, Counter.COPIES_BOTH_RAN)).isEqualTo(1);
  }

  @Test
  void anAnswerThatComesAfterOffStillFillsItsSlot() {
    Sent sent = bench.send();
    TiedRead read = passedOn(sent);
    bench.serveAtPeer(copy());
    assertThat(read.start()).isFalse();
    bench.off.set(true);
    bench.ties().leave();
    assertThat(bench.ties().isDone()).isFalse();
    assertThat(bench.answerOfPeer(sent.message().id())).isTrue();
    assertThat(bench.callbacks.filledBySecond).hasValue(1);
    assertThat(bench.ties().isDone()).isTrue();
  }

  @Test
  void onlyTheNamedPeerAnswersForTheFirstReplica() {
    Sent sent = bench.send();
    assertThat(bench.ties().take(bench.answer(TiedBench.FIRST, Verb.READ_RSP, sent.message().id())))
        .as("this is the read's own answer")
        .isFalse();
    assertThat(bench.ties().take(bench.answer(TiedBench.HOME, Verb.READ_RSP, sent.message().id())))
        .isFalse();
    assertThat(bench.callbacks.open()).isEqualTo(1);
  }

  @Test
  void theBudgetSuppressesCopiesAndServedReadsRefillIt() {
    bench = new TiedBench(", burst: 2, budget: 1", Mode.ON);
    for (int i = 0; i < 3; i++) {
      bench.queuedAtFirst(bench.send());
    }
    bench.pass(3 * MILLI);
    assertThat(bench.ofFirst.sent).hasSize(2);
    assertThat(count(bench.first, Counter.COPIES_SUPPRESSED)).isEqualTo(1);
    bench.first.ties().served();
    bench.queuedAtFirst(bench.send());
    bench.pass(3 * MILLI);
    assertThat(bench.ofFirst.sent).hasSize(3);
  }

  @Test
  void copiesInVainEndCopies() {
    bench = new TiedBench(", most-in-vain: 1%", Mode.ON);
    bench.loseNotices.set(true);
    for (int i = 0; i < 100; i++) {
      TiedRead read = bench.queuedAtFirst(bench.send());
      int before = bench.ofFirst.sent.size();
      bench.pass(3 * MILLI);
      read.start();
      if (bench.ofFirst.sent.size() > before) {
        bench.hearStarted(copy().id());
      }
    }
    assertThat(bench.ofFirst.sent).hasSizeLessThan(20);
    assertThat(count(bench.first, Counter.COPIES_BOTH_RAN)).isEqualTo(bench.ofFirst.sent.size());
  }

  /**
   * Cassandra ends a read of a partition that has moved away without an answer, or reads old data.
   */
  @Test
  void aPeerThatIsNoLongerAReplicaLeavesTheReadToTheFirstOne() {
    Sent sent = bench.send();
    TiedRead read = passedOn(sent);
    bench.peerOwns.set(false);
    assertThat(bench.serveAtPeer(copy())).isFalse();
    assertThat(bench.startedNotices).hasValue(0);
    assertThat(count(bench.peer, Counter.COPIES_STARTED)).isZero();
    assertThat(bench.ofPeer().serve(bench.peer, copy())).as("stock decides").isFalse();
    assertThat(read.start()).isTrue();
    assertThat(bench.answerOfFirst(sent)).isTrue();
  }

  @Test
  void deadPeersAndPeersWithoutManxGetNoCopies() {
    Sent sent = bench.send();
    bench.ofFirst.dead.add(bench.endpoint(TiedBench.PEER));
    bench.queuedAtFirst(sent);
    bench.pass(3 * MILLI);
    assertThat(bench.ofFirst.sent).isEmpty();
    bench.coordinator.signs().forget(TiedBench.PEER);
    assertThat(bench.send().tie()).as("a peer that shows no sign of Manx").isNull();
    bench.coordinator.signs().heard(TiedBench.PEER, true, 0);
    assertThat(bench.send().tie()).isNotNull();
    bench.coordinator.signs().forget(TiedBench.FIRST);
    Sent last = bench.send();
    assertThat(last.tie()).as("a first replica without").isNull();
    assertThat(last.flight().over()).as("counted as ineligible").isEqualTo(1);
  }

  @Test
  void readsOfADeadCoordinatorAreNotPassedOn() {
    bench.queuedAtFirst(bench.send());
    bench.ofFirst.dead.add(bench.endpoint(TiedBench.HOME));
    bench.pass(3 * MILLI);
    assertThat(bench.ofFirst.sent).isEmpty();
    assertThat(count(bench.first, Counter.COPIES_SUPPRESSED)).isEqualTo(1);
  }

  @Test
  void shadowModeCountsReadsThatItWouldPassOn() {
    bench = new TiedBench("", Mode.SHADOW);
    bench.queuedAtFirst(bench.send());
    bench.pass(3 * MILLI);
    assertThat(bench.ofFirst.sent).isEmpty();
    assertThat(count(bench.first, Counter.COPIES_PASSED_ON)).isEqualTo(1);
    assertThat(bench.ties().slots().size()).isZero();
  }

  @Test
  void unansweredReadsAreForgottenAfterTheirExpiry() {
    Sent sent = bench.send();
    passedOn(sent);
    bench.queuedAtPeer(copy());
    bench.now.set(sent.message().expiresAtNanos());
    bench.first.ties().sweep();
    bench.ties().sweep();
    bench.ofPeer().sweep();
    assertThat(bench.first.ties().isDone()).isTrue();
    assertThat(bench.ties().isDone()).isTrue();
    assertThat(bench.ofPeer().copies().size()).isZero();
  }

  /** Otherwise its slot would stay until the next sweep. */
  @Test
  void theTieOfAReadEndsAlthoughTheEndOfItsCopiesFails() {
    Sent sent = bench.send();
    assertThat(bench.ties().slots().size()).isEqualTo(1);
    Engine engine = TestEngines.failing(bench.coordinator, "copier");
    engine.closed(sent.message().id(), TiedBench.FIRST, Outcome.ANSWERED, new Ticket());
    assertThat(count(engine, Counter.FAULTS)).isEqualTo(1);
    assertNothingLeft();
  }
}
