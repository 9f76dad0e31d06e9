/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import static dev.manx.cassandra.tied.TiedBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.Stalls;
import dev.manx.cassandra.copy.AskingPlanner;
import dev.manx.cassandra.tied.TiedBench.Sent;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A planner that does not return when a copy's answer is reported to it is detected. */
@Timeout(60)
class CopiesStallTest {
  private final TiedBench bench = new TiedBench("fanout.asking-tied", "", Mode.ON);

  @AfterEach
  void nothingMore() {
    AskingPlanner.told = () -> {};
  }

  @Test
  void theAnswerOfATiedCopyIsWatched() {
    AtomicInteger watched = new AtomicInteger();
    Stalls stalls = bench.coordinator.guard().stalls();
    AskingPlanner.told =
        () ->
            watched.addAndGet(
                AskingPlanner.isWatched(stalls, bench.now.get()) ? 1 : Integer.MIN_VALUE);
    Sent sent = bench.send();
    TiedRead read = bench.queuedAtFirst(sent);
    bench.pass(3 * MILLI);
    bench.serveAtPeer(bench.ofFirst.sent.get(0));
    assertThat(read.start()).isFalse();
    assertThat(bench.answerOfPeer(sent.message().id())).isTrue();
    assertThat(watched).as("reported once, and watched").hasValue(1);
    assertThat(AskingPlanner.isWatched(stalls, bench.now.get())).as("afterwards").isFalse();
  }
}
