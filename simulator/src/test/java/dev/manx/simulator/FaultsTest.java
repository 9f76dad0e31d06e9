/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.order.Order;
import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Place;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Trouble;
import dev.manx.simulator.source.ListedSpec;
import dev.manx.simulator.source.ListedSpec.ListedRead;
import dev.manx.simulator.source.Sizes;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.simulator.source.SyntheticSpec;
import dev.manx.simulator.source.Widths;
import dev.manx.workload.Arrivals;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes that die, stop or slow down, with all checks passing. */
class FaultsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MS = 1_000_000L;

  private static Outcome play(ModelSpec model, SourceSpec source, double load) {
    Outcome outcome =
        new Simulation(
                model, source, Models.LOW_EQUALMAX, Models.run(model, source, load, 10_000, 1))
            .run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome;
  }

  @Test
  void deadNodeCostsItsReadsAndNoOthers() {
    Fault dead = Fault.of(2, Trouble.DEAD, SECOND / 4, SECOND / 2, 1);
    Outcome outcome = play(Models.cluster(List.of(dead)), Models.mixed(), 0.5);
    assertThat(outcome.metrics().get("reads_lost")).isPositive();
    assertThat(outcome.all().errors()).isPositive().isLessThan(outcome.all().count() / 2);
    assertThat(outcome.all().nanos().getTotalCount())
        .isEqualTo(outcome.all().count() - outcome.all().errors());
  }

  /** A median over the runs that have a metric is wrong if runs without an occurrence lack it. */
  @Test
  @Timeout(60)
  void aMetricIsZeroWhereNothingOccurred() {
    Fault dead = Fault.of(2, Trouble.DEAD, SECOND / 4, SECOND / 4 + 1, 1);
    ModelSpec model = Models.bare(3, 1, 3, Scatter.NONE, 0).with(List.of(dead));
    String strategy = "strategy: { fanout: { policy: fanout.speculative-retry, threshold: 1s } }";
    RunSpec run = Models.run(model, Models.reads(1), 0.001, 100, 1);
    Outcome outcome = new Simulation(model, Models.reads(1), strategy, run).run();
    assertThat(outcome.metrics())
        .containsEntry("reads_lost", 0.0)
        .containsEntry("copies_pct", 0.0)
        .containsEntry("wasted_work_pct", 0.0)
        .containsEntry("wasted_reads_pct", 0.0)
        .containsEntry("overloaded_reads_pct", 0.0)
        .containsEntry("long_queue_reads_pct", 0.0)
        .containsEntry("max_wait_cuts_pct", 0.0)
        .containsEntry("reads_beyond_order", 0.0);
    assertThat(play(Models.cluster(List.of()), Models.mixed(), 0.3).metrics())
        .as("neither can occur")
        .doesNotContainKeys("reads_lost", "copies_pct", "wasted_work_pct", "wasted_reads_pct");
  }

  @Test
  void slowNodeServesSlowly() {
    Fault slow = Fault.of(0, Trouble.SLOW, 0, 86_400 * SECOND, 0.5);
    ModelSpec even = Models.bare(1, 1, 1, Scatter.NONE, 0);
    ModelSpec model = even.with(List.of(slow));
    assertThat(play(even, Models.reads(1), 0.001).all().meanNanos()).isBetween(1.0e6, 1.01e6);
    assertThat(play(model, Models.reads(1), 0.001).all().meanNanos()).isBetween(2.0e6, 2.02e6);
  }

  @Test
  void pausedNodeGoesOnWhereItWas() {
    Fault pause = Fault.of(0, Trouble.PAUSED, 10 * SECOND, 11 * SECOND, 1);
    ModelSpec even = Models.bare(1, 1, 1, Scatter.NONE, 0);
    ModelSpec model = even.with(List.of(pause));
    Outcome outcome = play(model, Models.reads(1), 0.2);
    assertThat(outcome.all().errors()).isZero();
    assertThat(outcome.all().nanos().getMaxValue()).isBetween(990_000_000L, 1_300_000_000L);
  }

  /** Latency in milliseconds of a single read of 1 ms on a bare node under a permanent fault. */
  private static double alone(ModelSpec model, Fault fault) {
    return play(model.with(List.of(fault)), Models.reads(1), 0.001).all().meanNanos() / 1e6;
  }

  private static Fault always(Place place, int id, Trouble trouble, double speed, long delayNanos) {
    return new Fault(place, id, trouble, 0, 86_400 * SECOND, 0, speed, delayNanos);
  }

  /** What runs when the fault begins becomes slow, and what is left at its end fast again. */
  @ParameterizedTest
  @CsvSource({"SLOW, 1", "SLOW, 2", "PAUSED, 1"})
  @Timeout(60)
  void aShortFaultDelaysReadsByItsLengthOnly(Trouble trouble, int threads) {
    ModelSpec even = Models.withReadThreads(Models.bare(1, 1, 1, Scatter.NONE, 0), threads);
    Fault fault = Fault.of(0, trouble, SECOND + MS / 2, SECOND + 10 * MS + MS / 2, 0.001);
    RunSpec run = new RunSpec(500, Arrivals.FIXED, 3_000, 0, 1, List.of(), 10, 0, 0);
    Outcome outcome =
        new Simulation(even.with(List.of(fault)), Models.reads(1), Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.all().nanos().getMaxValue() / (double) MS).isBetween(10.9, 11.6);
    assertThat(outcome.metrics().get("recover_ms")).isLessThan(5);
    assertThat(outcome.metrics().get("service_us_per_read"))
        .isCloseTo(1_000 + (trouble == Trouble.SLOW ? 10_000.0 / 3_000 : 0), within(0.2));
  }

  /** At half the speed, a read of 1 ms has done 0.1 ms when the pause begins after 0.2 ms. */
  @ParameterizedTest
  @CsvSource({"101, 0, 1.5", "101, 200, 21.1", "103, 200, 21.1", "101, 1200, 21.5"})
  @Timeout(60)
  void aNodeMayPauseWhileItIsSlow(long slowToMs, long pauseFromUs, double ms) {
    Fault slow = Fault.of(0, Trouble.SLOW, 100 * MS, slowToMs * MS, 0.5);
    long from = 100 * MS + pauseFromUs * 1_000;
    Fault pause = Fault.of(0, Trouble.PAUSED, from, from + 20 * MS, 1);
    ModelSpec model = Models.bare(1, 1, 1, Scatter.NONE, 0);
    List<Fault> faults = pauseFromUs == 0 ? List.of(slow) : List.of(slow, pause);
    Outcome outcome = atEqualGaps(model.with(faults), Models.reads(1), 100 * MS);
    assertThat(outcome.all().nanos().getMaxValue() / (double) MS).isCloseTo(ms, within(0.1));
  }

  /** Its backlog of 80 ms of work is served in 160 ms, since half of its time is for new reads. */
  @Test
  @Timeout(60)
  void aSlowCoordinatorRecoversAsItsBacklogAllows() {
    ModelSpec even =
        Models.with(Models.bare(1, 8, 1, Scatter.NONE, 0), new Cpu(0, 1, 500_000, 0, 0));
    Fault slow =
        new Fault(Place.COORDINATOR, 0, Trouble.SLOW, SECOND, SECOND + 200 * MS, 0, 0.1, 0);
    RunSpec run = new RunSpec(1_000, Arrivals.FIXED, 8_000, 0, 1, List.of(), 10, 0, 0);
    Outcome outcome =
        new Simulation(even.with(List.of(slow)), Models.reads(1), Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.metrics().get("recover_ms")).isLessThan(401);
    assertThat(outcome.all().nanos().getMaxValue() / (double) MS).isBetween(150.0, 170.0);
  }

  @Test
  @Timeout(60)
  void farNodeAnswersLater() {
    ModelSpec even = Models.bare(3, 1, 3, Scatter.NONE, 0);
    Fault far = always(Place.NODE, ModelSpec.EVERY, Trouble.FAR, 1, 2_000_000);
    assertThat(alone(even, far)).isBetween(5.0, 5.05);
  }

  /** Neither an ideal nor a selector that measures distances uses a far node without need. */
  @ParameterizedTest
  @CsvSource({
    "bound: bound.ideal-equalmax, 0",
    "select: select.low, 0.2",
    "'select: select.low, facts: [pending-reads]', 0.2"
  })
  @Timeout(60)
  void aFarNodeIsSparedWhileOthersAreIdle(String strategy, double warmUp) {
    Fault far = new Fault(Place.NODE, 0, Trouble.FAR, 0, 86_400 * SECOND, 0, 1, 20 * MS);
    ModelSpec model = Models.bare(9, 2, 9, Scatter.NONE, 0).with(List.of(far));
    RunSpec rate = Models.run(model, Models.reads(2), 0.2, 20_000, 1);
    RunSpec run =
        new RunSpec(
            rate.requestsPerSecond(),
            Arrivals.POISSON,
            rate.requests(),
            warmUp,
            1,
            List.of(),
            10,
            0,
            0);
    Outcome outcome =
        new Simulation(model, Models.reads(2), "strategy: { " + strategy + " }", run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.all().nanos().getValueAtPercentile(99.9)).isLessThan(20 * MS);
  }

  @Test
  @Timeout(60)
  void everyNodeMaySlowDown() {
    ModelSpec even = Models.bare(3, 1, 3, Scatter.NONE, 0);
    Fault slow = always(Place.NODE, ModelSpec.EVERY, Trouble.SLOW, 0.25, 0);
    assertThat(alone(even, slow)).isBetween(4.0, 4.05);
  }

  @Test
  @Timeout(60)
  void slowCoordinatorPlansAndHearsSlowly() {
    ModelSpec even =
        Models.with(
            Models.bare(1, 1, 1, Scatter.NONE, 0), new Cpu(0, 1, 300_000, 100_000, 600_000));
    Fault slow = always(Place.COORDINATOR, 0, Trouble.SLOW, 0.5, 0);
    assertThat(play(even, Models.reads(1), 0.001).all().meanNanos() / 1e6).isBetween(2.0, 2.02);
    assertThat(alone(even, slow)).isBetween(3.0, 3.05);
  }

  /**
   * A clock that steps forward and back all the time. An order without a clock is unaffected; the
   * others lose no reads, and their results before the first step are unchanged.
   */
  @Test
  @Timeout(60)
  void steppedClockOnlyChangesTheOrder() {
    Fault steps =
        new Fault(
            Place.NODE, ModelSpec.EVERY, Trouble.STEPPED, 0, SECOND / 20, SECOND / 10, 1, SECOND);
    for (String order : new String[] {"order.fifo", "order.boost", "order.slack-edf"}) {
      String strategy = "strategy: { select: select.low, order: " + order + " }";
      Outcome still = ordered(strategy, List.of());
      Outcome stepped = ordered(strategy, List.of(steps));
      assertThat(stepped.all().count()).as(order).isEqualTo(still.all().count());
      if (order.equals("order.fifo")) {
        assertThat(stepped.all().meanNanos()).isEqualTo(still.all().meanNanos());
      } else {
        assertThat(stepped.all().meanNanos()).as(order).isNotEqualTo(still.all().meanNanos());
      }
    }
  }

  private static Outcome ordered(String strategy, List<Fault> faults) {
    ModelSpec model = Models.cluster(faults);
    RunSpec run = Models.run(model, Models.mixed(), 0.8, 20_000, 1);
    Outcome outcome = new Simulation(model, Models.mixed(), strategy, run).run();
    assertThat(outcome.checks()).as(strategy).allMatch(Check::holds);
    assertThat(outcome.all().errors()).isZero();
    return outcome;
  }

  /**
   * A read arrives during the pause with probability one tenth, and then half of the pause is left.
   */
  @Test
  @Timeout(60)
  void pauseComesBackEverySecond() {
    Fault pause =
        new Fault(Place.NODE, 0, Trouble.PAUSED, SECOND, SECOND + SECOND / 10, SECOND, 1, 0);
    ModelSpec even = Models.bare(1, 1, 1, Scatter.NONE, 0);
    Outcome outcome = play(even.with(List.of(pause)), Models.reads(1), 0.001);
    assertThat(outcome.all().meanNanos() / 1e6).isBetween(1 + 4.0, 1 + 6.5);
    assertThat(outcome.all().nanos().getMaxValue()).isBetween(90_000_000L, 110_000_000L);
    assertThat(outcome.metrics()).doesNotContainKey("recover_ms");
  }

  /** A paused node cannot hand on its waiting reads; its coordinator may send them again. */
  @Test
  @Timeout(60)
  void stalledNodeHandsCopiesOnAndAPausedOneDoesNot() {
    long stalled = slowRequests(Trouble.STALLED, 0);
    long paused = slowRequests(Trouble.PAUSED, 0);
    assertThat(stalled).as("what had started waits").isPositive();
    assertThat(paused).isGreaterThan(4 * stalled);
    assertThat(slowRequests(Trouble.STALLED, 100)).isLessThan(stalled);
    assertThat(slowRequests(Trouble.PAUSED, 100)).isLessThan(stalled);
  }

  /**
   * Requests of one read that took 20 ms or more, with one of six nodes stopped for a fifth of a
   * second.
   */
  private static long slowRequests(Trouble trouble, int rescues) {
    Fault stands = new Fault(Place.NODE, 0, trouble, SECOND, SECOND * 6 / 5, SECOND, 1, 0);
    String strategy =
        "strategy: { fanout: { policy: fanout.tied, stagger: 1ms, sender: replica, rescues: "
            + rescues
            + " } }";
    ModelSpec model = Models.cluster(List.of(stands));
    RunSpec run = Models.run(model, Models.reads(1), 0.1, 10_000, 1);
    Outcome outcome = new Simulation(model, Models.reads(1), strategy, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome.all().nanos().getCountBetweenValues(20_000_000, SECOND);
  }

  /** A request of ten misses on one disk, and one of a single miss some time later. */
  private static Outcome missesAround(long gapNanos, Fault fault) {
    ModelSpec model =
        Models.with(Models.bare(1, 32, 1, Scatter.NONE, 0), new ModelSpec.Cache(0, 10 * MS, 0, 1));
    SourceSpec source =
        new ListedSpec(
            List.of(
                Collections.nCopies(10, new ListedRead(0, 1_000)),
                List.of(new ListedRead(0, 1_000))));
    return atEqualGaps(model.with(List.of(fault)), source, gapNanos);
  }

  private static Outcome atEqualGaps(ModelSpec model, SourceSpec source, long gapNanos) {
    RunSpec run = new RunSpec(1e9 / gapNanos, Arrivals.FIXED, 2, 0, 1, List.of(), 10, 0, 0);
    Outcome outcome = new Simulation(model, source, Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome;
  }

  /**
   * From 5 to 255 ms after the first ten. A core adds a millisecond to a miss. The disk forgot that
   * nine of them still waited for it, and the last one took 11 ms.
   */
  @Test
  @Timeout(60)
  void aStalledDiskGoesOnWithItsQueue() {
    Fault stall = Fault.of(0, Trouble.STALLED, 261 * MS, 511 * MS, 1);
    Outcome outcome = missesAround(256 * MS, stall);
    assertThat(outcome.all().nanos().getMaxValue() / (double) MS).isCloseTo(351, within(0.5));
    assertThat(outcome.all().nanos().getMinNonZeroValue() / (double) MS)
        .isCloseTo(105, within(0.2));
  }

  /** Half as fast from 5 to 25 ms after the first ten: the disk loses 10 of its 100 ms. */
  @Test
  @Timeout(60)
  void aSlowNodesDiskIsSlowToo() {
    Fault slow = Fault.of(0, Trouble.SLOW, 261 * MS, 281 * MS, 0.5);
    Outcome outcome = missesAround(256 * MS, slow);
    assertThat(outcome.all().nanos().getMaxValue() / (double) MS).isCloseTo(111, within(0.2));
    assertThat(outcome.all().nanos().getMinNonZeroValue() / (double) MS).isCloseTo(11, within(0.1));
  }

  @Test
  @Timeout(60)
  void aDeadNodesDiskForgetsItsQueue() {
    Fault dead = Fault.of(0, Trouble.DEAD, 55 * MS, 60 * MS, 1);
    Outcome outcome = missesAround(50 * MS, dead);
    assertThat(outcome.all().errors()).isEqualTo(1);
    assertThat(outcome.all().nanos().getMaxValue() / (double) MS).isCloseTo(11, within(0.1));
  }

  /** A read with a microsecond left at the start of a pause had an event each microsecond of it. */
  @Test
  @Timeout(60)
  void aPauseCostsNoEvents() {
    Fault pause = Fault.of(0, Trouble.PAUSED, 101 * MS - 1_000, 151 * MS - 1_000, 1);
    ModelSpec model = Models.bare(1, 1, 1, Scatter.NONE, 0);
    Outcome outcome = atEqualGaps(model.with(List.of(pause)), Models.reads(1), 100 * MS);
    assertThat(outcome.all().nanos().getMaxValue() / (double) MS).isCloseTo(51, within(0.1));
    assertThat(outcome.cost().events()).isLessThan(100);
  }

  /** The end of its read, due in the pause, was held back. */
  @Test
  @Timeout(60)
  void aNodeMayDieInAPause() {
    Fault pause = Fault.of(0, Trouble.PAUSED, 100 * MS + 500_000, 150 * MS, 1);
    Fault dead = Fault.of(0, Trouble.DEAD, 120 * MS, 130 * MS, 1);
    ModelSpec model = Models.bare(1, 1, 1, Scatter.NONE, 0);
    Outcome outcome = atEqualGaps(model.with(List.of(pause, dead)), Models.reads(1), 100 * MS);
    assertThat(outcome.all().errors()).isEqualTo(1);
    assertThat(outcome.all().nanos().getMaxValue() / (double) MS).isCloseTo(1, within(0.01));
  }

  /** The read's end while it was slow, in 90 s, is not the one at which the read is lost. */
  @Test
  @Timeout(60)
  void aReadWhoseNodeDiesAfterItWasSlowTimesOutInTime() {
    long sent = 20 * SECOND;
    Fault slow = Fault.of(0, Trouble.SLOW, sent + 100_000, sent + 200_000, 1e-5);
    Fault dead = Fault.of(0, Trouble.DEAD, sent + 500_000, sent + 600_000, 1);
    ModelSpec model = Models.bare(1, 1, 1, Scatter.NONE, 0);
    assertThat(model.timeoutNanos()).isLessThan(sent);
    Outcome outcome = atEqualGaps(model.with(List.of(slow, dead)), Models.reads(1), sent);
    assertThat(outcome.all().errors()).isEqualTo(1);
    assertThat(outcome.metrics()).containsEntry("most_reads_on_their_way", 1.0);
  }

  /** The order and the budget of the copies are what the node has learned. */
  @Test
  @Timeout(60)
  void aNodeThatComesBackHasLearnedNothing() {
    List<Boolean> renewed = new ArrayList<>();
    List<Order<Read>> since = new ArrayList<>();
    Fault restart = Fault.of(1, Trouble.RESTARTED, SECOND / 2, SECOND, 1);
    ModelSpec model = Models.cluster(List.of(restart)).limited(MS);
    RunSpec run = Models.run(model, Models.mixed(), 0.9, 10_000, 1);
    String strategy = "strategy: { select: select.low, order: order.boost }";
    List<Long> lessCounted = new ArrayList<>();
    Outcome outcome =
        new Simulation(
                model,
                Models.mixed(),
                strategy,
                run,
                new Checks(),
                (world, id, order) ->
                    new Replica(world, id, order) {
                      @Override
                      void comeBack() {
                        Order<Read> before = queue.order;
                        long counted = queue.servedLong() + queue.overloaded() + queue.cuts();
                        super.comeBack();
                        renewed.add(queue.order != before);
                        since.add(queue.order);
                        counted -= queue.servedLong() + queue.overloaded() + queue.cuts();
                        lessCounted.add(counted);
                      }
                    })
            .run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(renewed).containsExactly(true);
    assertThat(lessCounted).containsExactly(0L);
    assertThat(since.get(0).cuts()).as("waits longer than the node allows").isPositive();
  }

  /** What a node loses it has not served: its order must not learn from it. */
  @Test
  @Timeout(60)
  void aNodeThatDiesTeachesItsOrderNothing() {
    List<Long> lost = new ArrayList<>();
    List<Long> counted = new ArrayList<>();
    Fault dead = Fault.of(1, Trouble.DEAD, SECOND / 2, SECOND, 1);
    ModelSpec model = Models.cluster(List.of(dead));
    RunSpec run = Models.run(model, Models.mixed(), 1.4, 10_000, 1);
    String strategy =
        "strategy: { select: select.random, order: { policy: order.boost, max-wait: 1ms } }";
    new Simulation(
            model,
            Models.mixed(),
            strategy,
            run,
            new Checks(),
            (world, id, order) ->
                new Replica(world, id, order) {
                  @Override
                  void die() {
                    long waiting = load.pending();
                    long before = queue.servedLong() + queue.overloaded() + queue.cuts();
                    super.die();
                    lost.add(waiting);
                    counted.add(queue.servedLong() + queue.overloaded() + queue.cuts() - before);
                  }
                })
        .run();
    assertThat(lost.get(0)).isGreaterThan(10);
    assertThat(counted).containsExactly(0L);
  }

  @Test
  @Timeout(60)
  void restartedNodeIsSparedAndComesBackCold() {
    ModelSpec even = Models.cluster(List.of());
    ModelSpec cached =
        new ModelSpec(
            even.nodes(),
            even.cores(),
            even.readThreads(),
            even.replicationFactor(),
            even.coordinators(),
            even.network(),
            even.service(),
            even.speeds(),
            Optional.of(new ModelSpec.Cache(10_000_000, 5_000_000, 0, 0)),
            even.feedback(),
            even.forecast(),
            even.cpu(),
            List.of(),
            even.timeoutNanos());
    SourceSpec keys =
        new SyntheticSpec(
            List.of(Widths.fixed(1, 1, -1)), new Sizes.Two(1_000, 1_001, 0), 3_000, 0, 0);
    Fault restart = Fault.of(1, Trouble.RESTARTED, SECOND, SECOND * 3 / 2, 1);
    Outcome warm = play(cached, keys, 0.3);
    Outcome restarted = play(cached.with(List.of(restart)), keys, 0.3);
    assertThat(restarted.all().errors()).isZero();
    assertThat(restarted.metrics().get("cache_hit_pct"))
        .isLessThan(warm.metrics().get("cache_hit_pct") - 1);
    assertThat(restarted.metrics()).containsKey("recover_ms");
  }
}
