/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

import static dev.manx.cassandra.hold.HoldBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.cassandra.Engine.Outcome;
import dev.manx.cassandra.control.Counter;
import dev.manx.policy.facts.Ticket;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A held read leaves once or is dropped, whichever threads race for it, and each is counted. */
@Timeout(120)
class HoldRaceTest {
  private static final int ROUNDS = 2_000;

  private final HoldBench bench = new HoldBench();
  private final ExecutorService threads = Executors.newFixedThreadPool(2);
  private final CyclicBarrier start = new CyclicBarrier(2);

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  private void meet(Runnable one, Runnable other) throws Exception {
    Future<?> first = threads.submit(() -> at(one));
    Future<?> second = threads.submit(() -> at(other));
    first.get();
    second.get();
  }

  private Void at(Runnable end) throws Exception {
    start.await();
    end.run();
    return null;
  }

  private void addsUp(int dropped) {
    assertThat(bench.departures.sent).doesNotHaveDuplicates().hasSize(ROUNDS - dropped);
    assertThat(bench.count(Counter.HOLDS_DROPPED)).isEqualTo(dropped);
    assertThat(bench.count(Counter.READS_HELD)).isEqualTo(ROUNDS);
    assertThat(bench.holds.held()).isZero();
  }

  @Test
  void timerAndTimer() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      bench.holds.hold(bench.read(), MILLI);
      bench.now.addAndGet(MILLI);
      meet(bench.holds::advance, bench.holds::advance);
      long id = bench.departures.sent.get(round);
      assertThat(bench.engine.closed(id, HoldBench.NODE, Outcome.ANSWERED, new Ticket())).isTrue();
    }
    addsUp(0);
    assertThat(bench.engine.state().tickets().size()).isZero();
  }

  /** The holding thread saw Manx on; the switching thread checked before the read was there. */
  @Test
  void holdAndOff() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      HeldMessage read = bench.read();
      meet(
          () -> bench.holds.hold(read, MILLI),
          () -> {
            bench.off.set(true);
            bench.holds.releaseAll();
          });
      assertThat(bench.departures.sent).as("at once").hasSize(round + 1);
      bench.off.set(false);
    }
    addsUp(0);
    assertThat(bench.count(Counter.HOLDS_CUT)).isEqualTo(ROUNDS);
  }

  @Test
  void timerAndOff() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      bench.holds.hold(bench.read(), MILLI);
      bench.now.addAndGet(MILLI);
      meet(
          bench.holds::advance,
          () -> {
            bench.off.set(true);
            bench.holds.releaseAll();
          });
      bench.off.set(false);
      bench
          .engine
          .state()
          .tickets()
          .expire(Long.MAX_VALUE, t -> bench.engine.ended(t.node, t, Outcome.TIMED_OUT));
    }
    addsUp(0);
  }

  /** A retry is given another time while Manx goes off. */
  @Test
  void timerAndOffOfARetry() throws Exception {
    for (int round = 0; round < ROUNDS; round++) {
      bench.holds.holdRetry(bench.read(), (now, answers) -> MILLI, HoldBench.LIFE);
      bench.now.addAndGet(MILLI);
      meet(
          bench.holds::advance,
          () -> {
            bench.off.set(true);
            bench.holds.releaseAll();
          });
      assertThat(bench.departures.sent).as("at once").hasSize(round + 1);
      assertThat(bench.holds.held()).isZero();
      bench.off.set(false);
      bench
          .engine
          .state()
          .tickets()
          .expire(Long.MAX_VALUE, t -> bench.engine.ended(t.node, t, Outcome.TIMED_OUT));
    }
    assertThat(bench.departures.sent).doesNotHaveDuplicates();
    assertThat(bench.count(Counter.RETRIES_HELD)).isEqualTo(ROUNDS);
    assertThat(bench.count(Counter.RETRIES_SPARED)).isZero();
  }

  /** Cassandra gives the read up at the moment of its release. */
  @Test
  void timerAndEndOfTheCallback() throws Exception {
    int dropped = 0;
    for (int round = 0; round < ROUNDS; round++) {
      HeldMessage read = bench.read();
      long id = bench.departures.open.keySet().iterator().next();
      bench.holds.hold(read, MILLI);
      bench.now.addAndGet(MILLI);
      boolean[] removed = new boolean[1];
      meet(bench.holds::advance, () -> removed[0] = bench.departures.open.remove(id) != null);
      boolean sent = bench.departures.sent.contains(id);
      assertThat(sent || removed[0]).isTrue();
      dropped += sent ? 0 : 1;
      bench.departures.open.clear();
      bench.engine.closed(id, HoldBench.NODE, Outcome.ANSWERED, new Ticket());
    }
    addsUp(dropped);
    assertThat(bench.engine.state().tickets().size()).isZero();
  }
}
