/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import static dev.manx.cassandra.hold.HoldBench.LIFE;
import static dev.manx.cassandra.hold.HoldBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.control.Counter;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Held reads are sent at their time, or at once, or not at all, and each is counted. */
@Timeout(60)
class HoldsTest {
  private final HoldBench bench = new HoldBench();

  @Test
  void aReadLeavesAtItsTimeAndHasATicketFromThen() {
    assertThat(bench.holds.hold(bench.read(), 3 * MILLI)).isTrue();
    assertThat(bench.holds.hold(bench.read(), MILLI)).isTrue();
    bench.pass(MILLI - 1);
    assertThat(bench.departures.sent).isEmpty();
    assertThat(bench.engine.state().tickets().size()).isZero();
    bench.pass(1);
    assertThat(bench.departures.sent).hasSize(1);
    assertThat(bench.engine.state().outstandingReads(HoldBench.NODE)).isEqualTo(1);
    bench.pass(2 * MILLI);
    assertThat(bench.departures.sent).hasSize(2);
    assertThat(bench.departures.open).as("their callbacks wait").hasSize(2);
    assertThat(bench.holds.held()).isZero();
    assertThat(bench.count(Counter.READS_HELD)).isEqualTo(2);
    assertThat(bench.count(Counter.HOLDS_CUT) + bench.count(Counter.HOLDS_DROPPED)).isZero();
  }

  @Test
  void noHoldIsLongerThanAQuarterOfTheReadsLifeAndInvalidOnesAreZero() {
    Engine engine = bench.engine;
    assertThat(bench.holds.bounded(engine, 0, LIFE)).isZero();
    assertThat(bench.holds.bounded(engine, MILLI, LIFE)).isEqualTo(MILLI);
    assertThat(bench.count(Counter.HOLDS_SHORTENED)).isZero();
    for (long huge : new long[] {LIFE / 4 + 1, LIFE, Long.MAX_VALUE}) {
      assertThat(bench.holds.bounded(engine, huge, LIFE)).isEqualTo(LIFE / 4);
    }
    assertThat(bench.count(Counter.HOLDS_SHORTENED)).isEqualTo(3);
    assertThat(bench.holds.bounded(engine, MILLI, -1)).as("it has expired").isZero();
    for (long nonsense : new long[] {-1, Long.MIN_VALUE}) {
      assertThat(bench.holds.bounded(engine, nonsense, LIFE)).isZero();
    }
    assertThat(bench.count(Counter.HOLDS_REFUSED)).isEqualTo(2);
    assertThat(bench.holds.bounded(engine, 1_000, LIFE)).as("no timer keeps it").isZero();
  }

  @Test
  void aReadBeyondTheBoundIsLeftToItsCaller() {
    for (int i = 0; i < Holds.MOST; i++) {
      assertThat(bench.holds.hold(bench.read(), MILLI)).isTrue();
    }
    assertThat(bench.holds.hold(bench.read(), MILLI)).isFalse();
    assertThat(bench.count(Counter.HOLDS_OVERFLOWED)).isEqualTo(1);
    bench.pass(MILLI);
    assertThat(bench.departures.sent).hasSize(Holds.MOST);
    assertThat(bench.holds.held()).isZero();
    assertThat(bench.holds.hold(bench.read(), MILLI)).isTrue();
  }

  @Test
  void offLetsAllLeaveAtOnceWithoutTickets() {
    bench.holds.hold(bench.read(), 50 * MILLI);
    bench.holds.hold(bench.read(), 60 * MILLI);
    bench.off.set(true);
    bench.holds.advance();
    assertThat(bench.departures.sent).as("the breaker notifies no others").hasSize(2);
    bench.holds.hold(bench.read(), 50 * MILLI);
    assertThat(bench.departures.sent).as("held by a thread that saw it on").hasSize(3);
    assertThat(bench.count(Counter.HOLDS_CUT)).isEqualTo(3);
    assertThat(bench.holds.held()).isZero();
    assertThat(bench.engine.state().tickets().size()).isZero();
  }

  @Test
  void anotherStrategyLetsThoseOfTheLastLeave() {
    Engine last = TestEngines.of("strategy: {}", bench.now::get);
    bench.holds.hold(bench.read(), 50 * MILLI);
    HeldMessage ofLast = bench.read(last);
    bench.holds.hold(ofLast, 50 * MILLI);
    assertThat(bench.departures.sent).as("the present engine is another").hasSize(1);
    assertThat(bench.holds.held()).isEqualTo(1);
    bench.holds.releaseOthers();
    assertThat(bench.departures.sent).hasSize(1);
    bench.holds.use(null);
    assertThat(bench.departures.sent).as("the node shuts down").hasSize(2);
  }

  @Test
  void aReadWhoseCallbackIsGoneOrExpiredIsNotSent() {
    HeldMessage gone = bench.read();
    bench.departures.open.clear();
    bench.holds.hold(gone, MILLI);
    bench.pass(MILLI);
    bench.holds.hold(bench.read(), MILLI);
    bench.pass(LIFE);
    assertThat(bench.departures.sent).isEmpty();
    assertThat(bench.departures.open).as("Cassandra expires it").hasSize(1);
    assertThat(bench.count(Counter.HOLDS_DROPPED)).isEqualTo(2);
    assertThat(bench.engine.state().tickets().size()).isZero();
  }

  @Test
  void aReadWhoseRequestHasEndedIsNotSentAndHasNoCallbackLeft() {
    bench.holds.hold(bench.read(), MILLI);
    bench.request.over();
    bench.pass(MILLI);
    assertThat(bench.departures.sent).isEmpty();
    assertThat(bench.departures.open).isEmpty();
    assertThat(bench.count(Counter.HOLDS_DROPPED)).isEqualTo(1);
  }

  @Test
  void aSendThatFailsIsReportedToItsRequest() {
    bench.departures.failure = new IllegalStateException("no connection");
    bench.holds.hold(bench.read(), MILLI);
    try {
      bench.pass(MILLI);
    } catch (IllegalStateException e) {
      assertThat(e).as("the test guard's form of a fault").hasMessageContaining("breaker");
    }
    assertThat(bench.departures.failed).hasSize(1);
    assertThat(bench.departures.open).isEmpty();
    assertThat(bench.count(Counter.FAULTS)).isEqualTo(1);
  }

  /** A read whose report to a policy returns late. */
  private HeldRead stuck(Engine planned, CountDownLatch inside, CountDownLatch release) {
    return new HeldRead(planned, bench.request) {
      @Override
      protected boolean take(boolean over) {
        return true;
      }

      @Override
      protected int answers() {
        return 0;
      }

      @Override
      protected void count(Engine now) throws InterruptedException {
        inside.countDown();
        release.await();
      }

      @Override
      protected void go(Engine now) {
        bench.departures.sent.add(-1L);
      }
    };
  }

  /** A selector that never returns when a read is reported costs its thread, and no read. */
  @Test
  void aPolicyThatKeepsTheTimersThreadCostsNoRead() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    HeldRead stuck = stuck(bench.engine, inside, release);
    bench.holds.hold(stuck, MILLI);
    bench.holds.hold(bench.read(), 2 * MILLI);
    Thread timer = new Thread(() -> bench.pass(MILLI));
    timer.start();
    inside.await();
    bench.holds.releaseAll();
    assertThat(bench.departures.sent).as("on, its thread may still return").hasSize(1);
    bench.off.set(true);
    bench.holds.releaseAll();
    assertThat(bench.departures.sent).contains(-1L).hasSize(2);
    release.countDown();
    timer.join();
    assertThat(bench.departures.sent).as("and only once").hasSize(2);
    assertThat(bench.holds.held()).isZero();
  }

  /** The policy belongs to the strategy before; otherwise the timer would check for ever. */
  @Test
  void aPolicyThatKeepsAThreadCostsNoReadWhenTheStrategyIsSwitched() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    bench.holds.hold(stuck(bench.engine, inside, release), MILLI);
    Thread timer = new Thread(() -> bench.pass(MILLI));
    timer.start();
    inside.await();
    bench.switched.set(TestEngines.of("strategy: {}", bench.now::get));
    bench.holds.releaseOthers();
    bench.pass(20 * MILLI - 1);
    assertThat(bench.departures.sent).as("it may still return").isEmpty();
    bench.pass(1);
    assertThat(bench.departures.sent).containsExactly(-1L);
    assertThat(bench.holds.held()).isZero();
    release.countDown();
    timer.join();
    assertThat(bench.departures.sent).as("and only once").hasSize(1);
  }

  /** Its answer might otherwise come before its ticket, which would then count as a time-out. */
  @Test
  void aReadThatIsBeingReportedWhenTheStrategyIsSwitchedIsSentAfterItsTicketIsOpen()
      throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    bench.holds.hold(stuck(bench.engine, inside, release), MILLI);
    Thread timer = new Thread(() -> bench.pass(MILLI));
    timer.start();
    inside.await();
    bench.switched.set(TestEngines.of("strategy: {}", bench.now::get));
    bench.holds.releaseOthers();
    bench.pass(MILLI);
    assertThat(bench.departures.sent).as("not before its ticket is open").isEmpty();
    release.countDown();
    timer.join();
    assertThat(bench.departures.sent).containsExactly(-1L);
    assertThat(bench.holds.held()).isZero();
  }

  /** It would be sent before it has a ticket. */
  @Test
  void aReadThatThePresentStrategyIsToldOfIsLeftToItsThread() throws Exception {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Engine last = TestEngines.of("strategy: {}", bench.now::get);
    bench.switched.set(last);
    bench.holds.hold(stuck(last, inside, release), MILLI);
    bench.switched.set(null);
    Thread switching = new Thread(bench.holds::releaseOthers);
    switching.start();
    inside.await();
    bench.holds.releaseOthers();
    assertThat(bench.departures.sent).isEmpty();
    release.countDown();
    switching.join();
    assertThat(bench.departures.sent).containsExactly(-1L);
    assertThat(bench.holds.held()).isZero();
  }

  /** Another thread releases a read before the thread that holds it has checked it. */
  @Test
  void aReadTakenByAThreadThatAPolicyKeepsIsSentWhenManxGoesOff() {
    HeldMessage read = bench.read();
    assertThat(read.claim()).isTrue();
    assertThat(read.isWanted()).isTrue();
    bench.holds.hold(read, MILLI);
    assertThat(bench.departures.sent).as("its thread may still return").isEmpty();
    bench.off.set(true);
    bench.holds.releaseAll();
    assertThat(bench.departures.sent).hasSize(1);
    assertThat(bench.holds.held()).isZero();
  }

  @Test
  void aSeparateThreadReleasesReads() throws Exception {
    HoldBench real = new HoldBench();
    Holds holds = new Holds(() -> real.engine, System::nanoTime);
    holds.use(real.departures);
    CountDownLatch left = new CountDownLatch(3);
    for (int i = 3; i > 0; i--) {
      holds.hold(TestHolds.read(real.engine, real.request, left::countDown), i * MILLI);
    }
    left.await();
    holds.use(null);
  }
}
