/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static dev.manx.cassandra.copy.CopyBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.control.Stalls;
import dev.manx.cassandra.copy.CopyBench.Sent;
import dev.manx.policy.Request;
import dev.manx.policy.facts.Ticket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class CopyEndsTest {
  private final CopyBench bench = new CopyBench("", Mode.ON);

  /** Manx goes off, and forgets its reads, between the plan of a request and its messages. */
  @Test
  void aReadSentAfterManxHasGoneOffIsNotKept() {
    Request request = bench.planned(1, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    bench.off.set(true);
    bench.engine.copier().ends().forget(() -> {});
    Sent read = bench.send(flight, request, 0);
    assertThat(bench.engine.copier().ends().firsts()).isZero();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.answerOfFirst(read)).isTrue();
  }

  @Test
  void aPlannerThatFailsToHearAnAnswerKeepsItFromNoOther() {
    AtomicInteger told = new AtomicInteger();
    AskingPlanner.told = told::incrementAndGet;
    try {
      TestSchema.load();
      Engine engine =
          TestEngines.failing(
              TestEngines.of("strategy: { select: select.asking, fanout: fanout.deaf }", () -> 7),
              "none of them");
      engine.sent(1, CopyBench.FIRST, MILLI, 0, MILLI);
      engine.closed(1, CopyBench.FIRST, Outcome.ANSWERED, new Ticket());
      assertThat(told).as("the selector").hasValue(1);
      assertThat(engine.counters().get(Counter.FAULTS)).isEqualTo(1);
    } finally {
      AskingPlanner.told = () -> {};
    }
  }

  /** A planner that does not return when a copy's answer is reported to it is detected. */
  @Test
  void thePlannerIsWatchedWhileACopysAnswerIsReported() {
    CopyBench asking = new CopyBench("fanout.asking-hedged", "", Mode.ON);
    Stalls stalls = asking.engine.guard().stalls();
    List<Boolean> watched = new ArrayList<>();
    AskingPlanner.told = () -> watched.add(AskingPlanner.isWatched(stalls, asking.now.get()));
    try {
      Sent read = asking.single();
      asking.pass(5 * MILLI);
      asking.answerOfSecond(asking.callbacks.sent.get(0), false);
      assertThat(watched).as("its answer wins").containsExactly(true);
      Sent other = asking.single();
      asking.pass(5 * MILLI);
      asking.answerOfFirst(other);
      watched.clear();
      asking.answerOfSecond(asking.callbacks.sent.get(1), false);
      assertThat(watched).as("its answer is wasted").containsExactly(true);
      assertThat(AskingPlanner.isWatched(stalls, asking.now.get())).as("afterwards").isFalse();
      assertThat(asking.answerOfFirst(read)).isFalse();
    } finally {
      AskingPlanner.told = () -> {};
    }
  }
}
