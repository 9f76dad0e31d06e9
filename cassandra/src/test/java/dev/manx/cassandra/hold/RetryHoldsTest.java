/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import static dev.manx.cassandra.hold.HoldBench.LIFE;
import static dev.manx.cassandra.hold.HoldBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.control.Counter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A retry waits while its condition is true, within bounds, and is sent once or not at all. */
@Timeout(60)
class RetryHoldsTest {
  private final HoldBench bench = new HoldBench();
  // How much longer a retry waits at each decision.
  private final AtomicLong waits = new AtomicLong(2 * MILLI);
  private int asked;

  private HeldMessage held() {
    HeldMessage read = bench.read();
    assertThat(bench.holds.holdRetry(read, this::waitsNanos, LIFE)).isTrue();
    return read;
  }

  private long waitsNanos(long nowNanos, int answers) {
    asked++;
    return waits.get();
  }

  @Test
  void aRetryLeavesOnceItsConditionIsFalse() {
    held();
    assertThat(bench.count(Counter.RETRIES_HELD)).isEqualTo(1);
    bench.pass(2 * MILLI);
    bench.pass(2 * MILLI);
    assertThat(bench.departures.sent).isEmpty();
    assertThat(bench.holds.held()).isEqualTo(1);
    waits.set(0);
    bench.pass(2 * MILLI - 1);
    assertThat(bench.departures.sent).as("it is not asked before").isEmpty();
    bench.pass(1);
    assertThat(bench.departures.sent).hasSize(1);
    assertThat(asked).isEqualTo(4);
    assertThat(bench.engine.state().outstandingReads(HoldBench.NODE)).isEqualTo(1);
    assertThat(bench.holds.held()).isZero();
    assertThat(bench.count(Counter.READS_HELD)).as("no plan held it").isZero();
    assertThat(bench.count(Counter.RETRIES_SPARED)).isZero();
  }

  @Test
  void aRetryThatNeedNotWaitIsLeftToItsCaller() {
    waits.set(0);
    assertThat(bench.holds.holdRetry(bench.read(), this::waitsNanos, LIFE)).isFalse();
    waits.set(MILLI);
    assertThat(bench.holds.holdRetry(bench.read(), this::waitsNanos, 0)).isFalse();
    assertThat(bench.holds.held()).isZero();
    assertThat(bench.count(Counter.RETRIES_HELD)).isZero();
  }

  @Test
  void aRetryIsNotSentIfItsReadWasAnswered() {
    HeldMessage read = held();
    bench.departures.answered.addAll(bench.departures.open.keySet());
    waits.set(0);
    bench.pass(2 * MILLI);
    assertThat(bench.departures.sent).isEmpty();
    assertThat(bench.departures.open).as("no callback that could expire").isEmpty();
    assertThat(read.isGone()).isTrue();
    assertThat(bench.count(Counter.RETRIES_SPARED)).isEqualTo(1);
    assertThat(bench.count(Counter.HOLDS_DROPPED)).isZero();
  }

  @Test
  void retriesOfARequestThatHasEndedAreNotSent() {
    held();
    bench.departures.answered.addAll(bench.departures.open.keySet());
    held();
    bench.request.over();
    bench.pass(2 * MILLI);
    assertThat(bench.departures.sent).isEmpty();
    assertThat(bench.departures.open).isEmpty();
    assertThat(bench.count(Counter.RETRIES_SPARED)).as("answered").isEqualTo(1);
    assertThat(bench.count(Counter.HOLDS_DROPPED)).as("timed out").isEqualTo(1);
  }

  /** It may have paid for leaving. */
  @Test
  void aConditionIsInformedOfEachRetryThatIsNotSent() {
    AtomicInteger unsent = new AtomicInteger();
    HeldWhile counts =
        new HeldWhile() {
          @Override
          public long waitsNanos(long nowNanos, int answers) {
            return waits.get();
          }

          @Override
          public void unsent() {
            unsent.incrementAndGet();
          }
        };
    assertThat(bench.holds.holdRetry(bench.read(), counts, LIFE)).isTrue();
    waits.set(0);
    bench.pass(2 * MILLI);
    assertThat(unsent).as("sent").hasValue(0);
    waits.set(2 * MILLI);
    assertThat(bench.holds.holdRetry(bench.read(), counts, LIFE)).isTrue();
    bench.departures.answered.addAll(bench.departures.open.keySet());
    waits.set(0);
    bench.pass(2 * MILLI);
    assertThat(unsent).as("answered").hasValue(1);
    waits.set(2 * MILLI);
    assertThat(bench.holds.holdRetry(bench.read(), counts, LIFE)).isTrue();
    bench.request.over();
    bench.pass(2 * MILLI);
    assertThat(unsent).as("its request has timed out").hasValue(2);
    assertThat(bench.departures.sent).hasSize(1);
  }

  @Test
  void aRetryCanBeReleasedBeforeItsTime() {
    HeldMessage read = held();
    assertThat(bench.holds.release(read)).isTrue();
    assertThat(bench.departures.sent).containsExactly(read.id());
    assertThat(bench.engine.state().tickets().isOpen(read.id(), HoldBench.NODE)).isTrue();
    assertThat(bench.holds.held()).isZero();
    assertThat(bench.holds.release(read)).as("once").isFalse();
    HeldMessage other = held();
    bench.departures.answered.add(other.id());
    assertThat(bench.holds.release(other)).as("answered").isFalse();
    assertThat(bench.departures.sent).hasSize(1);
    assertThat(bench.count(Counter.RETRIES_SPARED)).isEqualTo(1);
  }

  @Test
  void noRetryWaitsForMoreThanAQuarterOfItsReadsLife() {
    waits.set(Long.MAX_VALUE);
    held();
    bench.pass(LIFE / 4 - 1);
    assertThat(bench.departures.sent).isEmpty();
    bench.pass(1);
    assertThat(bench.departures.sent).hasSize(1);
  }

  /** Retries that are due within a millisecond are decided about at one time. */
  @Test
  void decisionsAreAtWholeMilliseconds() {
    waits.set(MILLI + 1);
    held();
    bench.pass(2 * MILLI - 1);
    assertThat(asked).isEqualTo(1);
    bench.pass(1);
    assertThat(asked).isEqualTo(2);
    bench.pass(2 * MILLI - 1);
    assertThat(asked).isEqualTo(2);
    bench.pass(1);
    assertThat(asked).isEqualTo(3);
  }

  /** After a pause of the coordinator all replicas seem silent until their answers are read. */
  @Test
  void afterAPauseOfTheProcessAnswersAreReadFirst() {
    held();
    waits.set(0);
    bench.pass(23 * MILLI);
    assertThat(bench.departures.sent).isEmpty();
    bench.pass(20 * MILLI - 1);
    assertThat(bench.departures.sent).isEmpty();
    bench.pass(1);
    assertThat(bench.departures.sent).hasSize(1);
  }

  @Test
  void aPauseDoesNotExtendTheLongestWait() {
    waits.set(Long.MAX_VALUE);
    held();
    bench.pass(LIFE / 4 + 50 * MILLI);
    assertThat(bench.departures.sent).hasSize(1);
  }

  @Test
  void retriesLeaveRoomForPlannedHolds() {
    for (int i = 0; i < HeldRetries.MOST; i++) {
      held();
    }
    assertThat(bench.holds.holdRetry(bench.read(), this::waitsNanos, LIFE)).isFalse();
    assertThat(bench.count(Counter.HOLDS_OVERFLOWED)).isEqualTo(1);
    assertThat(bench.holds.hold(bench.read(), MILLI)).isTrue();
  }

  @Test
  void offLetsARetryLeaveAtOnce() {
    held();
    bench.off.set(true);
    bench.holds.advance();
    assertThat(bench.departures.sent).hasSize(1);
    assertThat(bench.count(Counter.HOLDS_CUT)).isEqualTo(1);
    assertThat(bench.holds.held()).isZero();
  }

  /** Manx goes off while a thread decides about a retry, so that others cannot release it. */
  @Test
  void aRetryLeavesThatWaitsAgainWhileManxGoesOff() {
    HeldMessage read = bench.read();
    HeldWhile goesOff =
        (now, answers) -> {
          if (now > 0) {
            bench.off.set(true);
            bench.holds.releaseAll();
          }
          return MILLI;
        };
    assertThat(bench.holds.holdRetry(read, goesOff, LIFE)).isTrue();
    bench.pass(MILLI);
    assertThat(bench.departures.sent).hasSize(1);
    assertThat(bench.holds.held()).isZero();
  }

  @Test
  void aRetryWhoseConditionFailsIsNotLost() {
    HeldWhile fails =
        (now, answers) -> {
          if (now == MILLI) {
            throw new IllegalStateException("test");
          }
          return MILLI;
        };
    assertThat(bench.holds.holdRetry(bench.read(), fails, LIFE)).isTrue();
    try {
      bench.pass(MILLI);
    } catch (IllegalStateException e) {
      assertThat(e).as("the test guard's form of a fault").hasMessageContaining("breaker");
    }
    bench.off.set(true);
    bench.holds.advance();
    assertThat(bench.departures.sent).hasSize(1);
    assertThat(bench.count(Counter.FAULTS)).isEqualTo(1);
  }
}
