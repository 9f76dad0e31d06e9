/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import static dev.manx.cassandra.tied.TiedBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.tied.TiedBench.Sent;
import org.apache.cassandra.net.Message;
import org.apache.cassandra.net.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DyingPeerTest {
  private final TiedBench bench = new TiedBench("", Mode.ON);

  /** The read is lost, like one whose only replica dies; stock's second attempt is not. */
  @Test
  void aPeerThatDiesAfterItsCopyHasStartedLeavesTheReadToStock() {
    Sent sent = bench.send();
    TiedRead read = bench.queuedAtFirst(sent);
    bench.pass(3 * MILLI);
    Message<?> copy = bench.ofFirst.sent.get(0);
    bench.queuedAtPeer(copy).start();
    bench.peer.load().started(TiedBench.COST * MILLI);
    assertThat(bench.serveAtPeer(copy)).isTrue();
    bench.ofFirst.dead.add(bench.endpoint(TiedBench.PEER));
    bench.callbacks.dead.add(bench.endpoint(TiedBench.PEER));
    assertThat(read.start()).as("ceded").isFalse();
    bench.pass(100 * MILLI);
    assertThat(bench.ofFirst.sent).as("it is not passed on again").hasSize(1);
    assertThat(bench.callbacks.open()).as("the request waits, as in stock").isEqualTo(1);
    assertThat(bench.ties().take(bench.answer(TiedBench.HOME, Verb.READ_RSP, 1_000_001)))
        .as("the answer to stock's second attempt is not Manx's")
        .isFalse();

    bench.now.set(sent.message().expiresAtNanos());
    bench
        .coordinator
        .state()
        .tickets()
        .expire(Long.MAX_VALUE, t -> bench.coordinator.ended(t.node, t, Outcome.TIMED_OUT));
    bench.callbacks.endOfFirst(sent.message().id());
    bench.first.ties().sweep();
    bench.ties().sweep();
    assertThat(bench.first.ties().isDone()).isTrue();
    assertThat(bench.ties().isDone()).isTrue();
    assertThat(bench.answerOfPeer(sent.message().id())).as("too late").isFalse();
    assertThat(bench.callbacks.filledBySecond).hasValue(0);
    assertThat(bench.coordinator.state().tickets().size()).isZero();
    assertThat(bench.first.load().workAheadNanos()).isZero();
  }
}
