/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static dev.manx.cassandra.copy.CopyBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.copy.CopyBench.Sent;
import dev.manx.cassandra.tied.TestTies;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Ticket;
import org.junit.jupiter.api.Test;

/** Reads that their replica may pass on, at a replica that stalls and passes nothing on. */
class RescuedTieTest {
  private CopyBench bench;

  /** A node that has answered every millisecond. */
  private void use(String settings, Mode mode) {
    bench = new CopyBench("fanout.tied", ", sender: replica" + settings, mode);
    TestTies.use(bench.engine, bench.callbacks);
    bench.hearOthers();
    for (int i = 0; i < 120; i++) {
      Sent quick = bench.single();
      bench.pass(MILLI);
      assertThat(bench.answerOfFirst(quick)).isTrue();
    }
    bench.engine.strategy().planner().tick(bench.engine.state(), bench.now.get());
  }

  @Test
  void itsCoordinatorSendsThemToTheOtherReplica() {
    use(", rescues: 2", Mode.ON);
    Sent read = bench.single();
    bench.pass(MILLI);
    assertThat(bench.callbacks.sent).as("the node may still answer").isEmpty();
    bench.pass(4 * MILLI);
    assertThat(bench.callbacks.sent).as("silent for much longer than a millisecond").hasSize(1);
    assertThat(bench.callbacks.targets.get(0).getHostAddress(false)).isEqualTo("127.0.0.3");
    bench.pass(50 * MILLI);
    assertThat(bench.callbacks.sent).as("once").hasSize(1);
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false)).isTrue();
    assertThat(bench.callbacks.filledBySecond).hasValue(1);
    assertThat(bench.answerOfFirst(read)).as("dropped by Cassandra").isFalse();
    assertThat(bench.count(Counter.COPIES_OVERTAKEN)).isEqualTo(1);
    assertNothingLeft();
  }

  /** Busy cores are a reason against a copy that may be in vain, not against the only answer. */
  @Test
  void theyAreAlsoSentToANodeWhoseCoresAreBusy() {
    use(", rescues: 2", Mode.ON);
    bench.engine.state().apply(FactColumn.CORES_IN_USE, CopyBench.SECOND, 900, bench.now.get());
    long offered = bench.count(Counter.COPIES_OFFERED);
    bench.single();
    assertThat(bench.count(Counter.COPIES_OFFERED)).isEqualTo(offered);
    assertThat(bench.count(Counter.COPIES_SUPPRESSED)).isEqualTo(1);
    bench.pass(5 * MILLI);
    assertThat(bench.callbacks.sent).hasSize(1);
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false)).isTrue();
    assertThat(bench.callbacks.filledBySecond).hasValue(1);
  }

  @Test
  void aReadThatTheReplicaPassedOnInTimeIsNotSentAgain() {
    use(", rescues: 2", Mode.ON);
    Sent read = bench.single();
    bench.pass(MILLI);
    assertThat(bench.answerOfPassedOn(read)).isTrue();
    bench.pass(50 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.engine.copier().armed()).as("checked when it may be late").isZero();
    assertNothingLeft();
  }

  /** Its tickets are closed, so it has no open read that shows how long it has been silent. */
  @Test
  void readsOfAReplicaThatDiedAreSentToTheOtherOne() {
    use(", rescues: 2", Mode.ON);
    Sent read = bench.single();
    bench.pass(MILLI);
    bench.engine.closed(read.message().id(), CopyBench.FIRST, Outcome.CANCELLED, new Ticket());
    bench.pass(4 * MILLI);
    assertThat(bench.callbacks.sent).hasSize(1);
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false)).isTrue();
    assertThat(bench.callbacks.filledBySecond).hasValue(1);
    assertThat(bench.answerOfPassedOn(read)).as("it passed the read on before").isTrue();
    assertNothingLeft();
  }

  @Test
  void aReadThatExpiresAtADeadReplicaIsForgotten() {
    use(", rescues: 2", Mode.ON);
    Sent read = bench.single();
    bench.pass(MILLI);
    bench.engine.closed(read.message().id(), CopyBench.FIRST, Outcome.CANCELLED, new Ticket());
    bench.callbacks.endOfFirst(read.message().id());
    bench.pass(50 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.engine.copier().armed()).isZero();
  }

  @Test
  void theAnswerOfAReadPassedOnAfterTheRescueIsWasted() {
    use(", rescues: 2", Mode.ON);
    Sent read = bench.single();
    bench.pass(5 * MILLI);
    assertThat(bench.answerOfSecond(bench.callbacks.sent.get(0), false)).isTrue();
    assertThat(bench.answerOfPassedOn(read)).isTrue();
    assertThat(bench.callbacks.filledBySecond).hasValue(1);
    assertThat(bench.count(Counter.COPIES_WASTED)).isEqualTo(1);
    // The first replica has dropped the read: without an answer, its ticket would time out.
    assertNothingLeft();
  }

  @Test
  void theirBudgetBoundsTheCopies() {
    use(", rescues: 2", Mode.ON);
    for (int i = 0; i < 5; i++) {
      bench.single();
    }
    bench.pass(5 * MILLI);
    assertThat(bench.callbacks.sent).hasSize(2);
    assertThat(bench.count(Counter.COPIES_SUPPRESSED)).isEqualTo(3);
  }

  @Test
  void withoutRescuesTheyWait() {
    use(", rescues: 0", Mode.ON);
    bench.single();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.engine.copier().ends().firsts()).as("no read is followed").isZero();
  }

  @Test
  void inShadowModeACopyIsCountedAndNotSent() {
    use(", rescues: 2", Mode.SHADOW);
    Sent read = bench.single();
    bench.pass(5 * MILLI);
    assertThat(bench.count(Counter.COPIES_SENT)).isEqualTo(1);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.answerOfFirst(read)).isTrue();
  }

  private void assertNothingLeft() {
    assertThat(bench.engine.state().tickets().size()).as("outstanding").isZero();
    assertThat(TestTies.slots(bench.engine)).as("ties").isZero();
    assertThat(bench.engine.copier().underWay()).isZero();
    assertThat(bench.engine.copier().ends().firsts()).isZero();
    assertThat(bench.callbacks.open()).as("slots").isZero();
  }
}
