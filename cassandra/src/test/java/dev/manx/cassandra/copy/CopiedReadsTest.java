/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static dev.manx.cassandra.copy.CopyBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.copy.CopyBench.Sent;
import dev.manx.policy.Request;
import org.junit.jupiter.api.Test;

/** The choice of reads of a request that get a second copy, and the time of the copy. */
class CopiedReadsTest {
  private final CopyBench bench = new CopyBench("", Mode.ON);

  @Test
  void aReadThatWaitsForTheOthersIsCheckedOnceHoweverManyEnd() {
    Request request = bench.planned(20, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    bench.send(flight, request, 0);
    bench.pass(9 * MILLI);
    Sent[] others = new Sent[19];
    for (int i = 0; i < 19; i++) {
      others[i] = bench.send(flight, request, 1 + i);
    }
    bench.pass(5 * MILLI);
    int armed = bench.engine.copier().armed();
    for (int i = 0; i < 15; i++) {
      bench.answerOfFirst(others[i]);
    }
    assertThat(bench.engine.copier().armed()).isEqualTo(armed + 1);
  }

  @Test
  void onlyTheLastReadsOfARequestAreCopied() {
    Request request = bench.planned(20, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    Sent[] reads = new Sent[20];
    for (int i = 0; i < 20; i++) {
      reads[i] = bench.send(flight, request, i);
    }
    for (int i = 0; i < 10; i++) {
      bench.answerOfFirst(reads[i]);
    }
    // Another answer arrives just in time: nine are late, and one of ten is not.
    Sent fresh = bench.single();
    bench.answerOfFirst(fresh);
    bench.pass(8 * MILLI);
    for (int i = 10; i < 18; i++) {
      bench.answerOfFirst(reads[i]);
    }
    assertThat(bench.callbacks.sent).isEmpty();
    bench.pass(10 * MILLI);
    assertThat(bench.callbacks.sent).as("both that are left are late").hasSize(2);
    assertThat(flight.over()).isZero();
  }

  @Test
  void aReadThatWasLateGoesWhenTheOthersHaveEnded() {
    Request request = bench.planned(20, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    Sent late = bench.send(flight, request, 0);
    bench.pass(9 * MILLI);
    Sent other = bench.send(flight, request, 1);
    bench.pass(5 * MILLI);
    assertThat(bench.callbacks.sent).as("one of two is on time").isEmpty();
    bench.answerOfFirst(other);
    bench.pass(2 * MILLI);
    assertThat(bench.callbacks.sent).hasSize(1);
    assertThat(bench.callbacks.sent.get(0).payload).isSameAs(late.message().payload);
  }

  @Test
  void theLastLateReadGoesThoughAnotherLateOneWasAnswered() {
    Request request = bench.planned(20, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    Sent first = bench.send(flight, request, 0);
    Sent second = bench.send(flight, request, 1);
    bench.pass(9 * MILLI);
    Sent onTime = bench.send(flight, request, 2);
    bench.pass(5 * MILLI);
    assertThat(bench.callbacks.sent).as("one of three is on time").isEmpty();
    bench.answerOfFirst(first);
    bench.pass(MILLI);
    bench.answerOfFirst(onTime);
    bench.pass(2 * MILLI);
    assertThat(bench.callbacks.sent).hasSize(1);
    assertThat(bench.callbacks.sent.get(0).payload).isSameAs(second.message().payload);
  }

  @Test
  void readsThatCannotBeCopiedAreCounted() {
    Request two = bench.planned(3, 2, false);
    assertThat(bench.engine.copier().begin(bench.engine, two)).as("two must answer").isNull();
    assertThat(bench.count(Counter.COPIES_INELIGIBLE)).isEqualTo(3);

    Request apart = bench.planned(1, 1, true);
    Flight flight = bench.engine.copier().begin(bench.engine, apart);
    bench.send(flight, apart, 0);
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).as("the other replica is far away").isEmpty();
    assertThat(flight.over()).isEqualTo(1);

    Request home = bench.planned(2, 1, false);
    Flight atHome = bench.engine.copier().begin(bench.engine, home);
    bench.send(atHome, home, 1);
    assertThat(atHome.over()).as("read 0 was not sent").isEqualTo(1);
  }

  @Test
  void aReadThatStockSentTwiceMeanwhileIsNotCopied() {
    Sent read = bench.single();
    bench.callbacks.sentTwice(read.message().id());
    bench.pass(50 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
    assertThat(bench.answerOfFirst(read)).isTrue();
    bench.assertNothingLeft();
  }

  @Test
  void aReadThatStockSendsAgainIsArmedOnce() {
    Request request = bench.planned(1, 1, false);
    Flight flight = bench.engine.copier().begin(bench.engine, request);
    bench.send(flight, request, 0);
    bench.send(flight, request, 0);
    assertThat(bench.engine.copier().armed()).isEqualTo(1);
  }

  @Test
  void readsWithoutATicketAreNotCopied() {
    for (int i = 0; i < bench.engine.state().tickets().capacity() + 5; i++) {
      bench.single();
    }
    assertThat(bench.count(Counter.COPIES_OVERFLOWED)).isEqualTo(5);
    bench.expire();
    bench.pass(100 * MILLI);
    assertThat(bench.callbacks.sent).isEmpty();
  }

  @Test
  void noMoreReadsAreArmedThanTheBound() {
    Request request = bench.planned(1, 1, false);
    for (int i = 0; i < Copier.mostArmed() + 5; i++) {
      bench.answerOfFirst(
          bench.send(bench.engine.copier().begin(bench.engine, request), request, 0));
    }
    assertThat(bench.engine.copier().armed()).isEqualTo(Copier.mostArmed());
    assertThat(bench.count(Counter.COPIES_OVERFLOWED)).isEqualTo(5);
  }
}
