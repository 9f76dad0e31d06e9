/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import static dev.manx.cassandra.tied.TiedBench.MILLI;
import static dev.manx.cassandra.tied.TiedBench.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.policy.facts.FactColumn;
import java.util.concurrent.TimeUnit;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tied reads that wait for a thread of their own coordinator. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class TiesAtHomeTest {
  private TiedBench bench = new TiedBench("", Mode.ON);

  @Test
  void aReadAtHomeIsAnsweredByItsCopyAlsoBeforeTheNotice() {
    for (boolean lost : new boolean[] {false, true}) {
      bench = new TiedBench("", Mode.ON);
      bench.loseNotices.set(lost);
      long ticket = bench.nextTicket();
      TiedRead read = bench.queuedAtHome(ticket);
      bench.pass(3 * MILLI);
      Message<?> copy = bench.callbacks.sent.get(0);
      assertThat(bench.serveAtPeer(copy)).isTrue();
      assertThat(bench.read.get(0).id()).isEqualTo(copy.id());
      assertThat(bench.answerOfPeer(copy.id())).isTrue();
      assertThat(bench.callbacks.answeredAtHome).hasValue(1);
      assertThat(read.start()).isFalse();
      assertThat(bench.answerOfPeer(copy.id())).as("a second time").isFalse();
      assertThat(bench.coordinator.state().tickets().size()).isZero();
      assertThat(bench.coordinator.load().workAheadNanos()).isZero();
      assertThat(bench.ties().isDone()).isTrue();
      assertThat(count(bench.coordinator, Counter.COPIES_PASSED_ON)).isEqualTo(1);
      assertThat(count(bench.coordinator, Counter.READS_CEDED))
          .as("notice lost: %s", lost)
          .isEqualTo(1);
    }
  }

  @Test
  void theAnswerOfACopyTeachesTheSizeOfItsKey() {
    bench = TiedBench.withSizes();
    TiedRead read = bench.queuedAtHome(bench.nextTicket());
    bench.pass(3 * MILLI);
    Message<?> copy = bench.callbacks.sent.get(0);
    assertThat(bench.serveAtPeer(copy)).isTrue();
    assertThat(bench.resultOfPeer(copy.id())).isTrue();
    assertThat(read.start()).isFalse();
    assertThat(bench.coordinator.strategy().isLarge(null, TiedBench.KEY_HASH)).isTrue();
  }

  @Test
  void aReadAtHomeIsNotOfferedToANodeWhoseCoresAreBusy() {
    bench.coordinator.state().apply(FactColumn.CORES_IN_USE, TiedBench.PEER, 800, bench.now.get());
    assertThat(bench.offeredAtHome(bench.nextTicket())).isNull();
    assertThat(count(bench.coordinator, Counter.COPIES_SUPPRESSED)).isEqualTo(1);
    assertThat(count(bench.coordinator, Counter.COPIES_OFFERED)).isZero();
  }

  @Test
  void aReadAtHomeThatStartsFirstIsItsRequestsAnswer() {
    bench.loseNotices.set(true);
    TiedRead read = bench.queuedAtHome(bench.nextTicket());
    bench.pass(3 * MILLI);
    Message<?> copy = bench.callbacks.sent.get(0);
    assertThat(read.start()).isTrue();
    assertThat(bench.recalls).hasValue(1);
    assertThat(bench.serveAtPeer(copy)).isTrue();
    assertThat(bench.answerOfPeer(copy.id())).as("ended here").isTrue();
    assertThat(bench.callbacks.answeredAtHome).hasValue(0);
    assertThat(count(bench.coordinator, Counter.COPIES_BOTH_RAN)).isEqualTo(1);
  }

  @Test
  void aReadAtHomeWhoseCopyFailsRuns() {
    TiedRead read = bench.queuedAtHome(bench.nextTicket());
    bench.pass(3 * MILLI);
    Message<?> copy = bench.callbacks.sent.get(0);
    bench.serveAtPeer(copy);
    bench.ties().take(bench.answer(TiedBench.PEER, Verb.FAILURE_RSP, copy.id()));
    assertThat(read.start()).isTrue();
    TiedRead other = bench.queuedAtHome(bench.nextTicket());
    bench.pass(3 * MILLI);
    copy = bench.callbacks.sent.get(1);
    bench.serveAtPeer(copy);
    assertThat(other.start()).isFalse();
    assertThat(bench.callbacks.servedAtHome).hasValue(0);
    bench.ties().take(bench.answer(TiedBench.PEER, Verb.FAILURE_RSP, copy.id()));
    assertThat(bench.callbacks.servedAtHome).as("although its turn was skipped").hasValue(1);
  }

  @Test
  void aReadAtHomeWhoseCopyIsAbortedRuns() {
    bench.peerAborts.set(true);
    TiedRead read = bench.queuedAtHome(bench.nextTicket());
    bench.pass(3 * MILLI);
    assertThat(bench.serveAtPeer(bench.callbacks.sent.get(0))).isTrue();
    assertThat(read.claim.isCeded()).isTrue();
    assertThat(bench.aborted).isEmpty();
    assertThat(bench.ties().take(bench.failureOfPeer())).isTrue();
    assertThat(read.start()).isTrue();
    assertThat(bench.callbacks.answeredAtHome).hasValue(0);
    assertThat(count(bench.coordinator, Counter.COPIES_FAILED)).isEqualTo(1);
    assertThat(bench.ties().slots().size()).isZero();
  }
}
