/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Network;
import dev.manx.simulator.ModelSpec.Place;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Trouble;
import dev.manx.simulator.source.SourceSpec;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Second copies, gates and bounds, with all checks passing. */
@Tag("slow")
class CopiesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final String ON_THEIR_WAY = "most_reads_on_their_way";

  private static Outcome play(String fanout, double load, List<Fault> faults) {
    String strategy =
        "strategy: { select: select.low, order: order.bottleneck, fanout: { " + fanout + " } }";
    ModelSpec model = Models.cluster(faults);
    SourceSpec source = Models.mixed();
    Outcome outcome =
        new Simulation(model, source, strategy, Models.run(model, source, load, 20_000, 1)).run();
    assertThat(outcome.checks()).as(fanout).allMatch(Check::holds);
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy: fanout.hedged, rank: brb-equalmax",
        "policy: fanout.speculative-retry, threshold: 2ms",
        "policy: fanout.speculative-retry, threshold: always",
        "policy: fanout.tied, stagger: 0ms",
        "policy: fanout.tied, stagger: 500us, rank: brb-equalmax",
        "policy: fanout.tied, stagger: 200us, sender: replica, rank: brb-equalmax",
        "policy: fanout.tied, stagger: 100us, cancel: started, rank: brb-equalmax",
        "policy: fanout.tied, stagger: 100us, sender: replica, cancel: started",
        "policy: fanout.hedged, cancel: started, abort-after: 100us, first-delay: 1ms",
      })
  void copiesEndAndAreCounted(String fanout) {
    for (double load : new double[] {0.2, 0.6}) {
      Outcome outcome = play(fanout, load, List.of());
      assertThat(outcome.metrics().get("copies_pct")).isPositive();
      assertThat(outcome.all().errors()).isZero();
      assertThat(outcome.metrics().get("messages_per_read")).isGreaterThan(2);
    }
  }

  /** Two idle nodes of one core, 50 us apart; every read takes 1 ms without other reads. */
  private static Outcome alone(String fanout, List<Fault> faults) {
    ModelSpec even = Models.bare(2, 1, 2, Scatter.NONE, 0);
    return alone(fanout, Models.with(even, new Network(50_000, 0, 0)).with(faults));
  }

  private static Outcome alone(String fanout, ModelSpec model) {
    String strategy = "strategy: { fanout: { " + fanout + " } }";
    RunSpec run = Models.run(model, Models.reads(1), 0.001, 2_000, 1);
    Outcome outcome = new Simulation(model, Models.reads(1), strategy, run).run();
    assertThat(outcome.checks()).as(fanout).allMatch(Check::holds);
    return outcome;
  }

  /**
   * The first copy starts at 50 us, the second then or a stagger later. Either runs to its end,
   * half of all work; or the second is stopped after the first one's cancellation arrives, 50 us
   * later, at the engine's next check. Copy, cancellations, both of them, and answers are all
   * messages.
   */
  @ParameterizedTest
  @CsvSource({
    "'policy: fanout.speculative-retry, threshold: always', 50.0, 50.0, 4",
    "'policy: fanout.tied, stagger: 0ms, most-in-vain: 100%', 50.0, 50.0, 6",
    "'policy: fanout.tied, stagger: 0ms, cancel: started', 4.7619, 100.0, 5",
    "'policy: fanout.tied, stagger: 0ms, cancel: started, abort-after: 100us', 13.0435, 100.0, 5",
    "'policy: fanout.tied, stagger: 200us', 0.0, 0.0, 4",
    "'policy: fanout.tied, stagger: 25us, most-in-vain: 100%', 50.0, 50.0, 6",
    "'policy: fanout.tied, stagger: 25us, cancel: started', 2.4390, 100.0, 5",
  })
  @Timeout(60)
  void meterShowsAKnownWaste(String fanout, double work, double runs, double messages) {
    Map<String, Double> metrics = alone(fanout, List.of()).metrics();
    assertThat(metrics.get("copies_pct")).isEqualTo(100);
    assertThat(metrics.get("wasted_work_pct")).isCloseTo(work, within(0.1));
    assertThat(metrics.get("wasted_reads_pct")).isCloseTo(runs, within(0.3));
    assertThat(metrics.get("messages_per_read")).isCloseTo(messages, within(0.01));
  }

  /** All reads take the same time, so the work in vain is that of the reads in vain. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3})
  @Timeout(60)
  void aCoreThatStandsStillDoesNotWork(int threads) {
    Fault stall =
        new Fault(Place.NODE, 0, Trouble.STALLED, SECOND / 2, SECOND * 3 / 4, SECOND, 1, 0);
    ModelSpec even = Models.with(Models.bare(3, 2, 3, Scatter.NONE, 0), new Network(150_000, 0, 0));
    ModelSpec model = Models.withReadThreads(even.with(List.of(stall)), threads);
    String strategy = "strategy: { select: select.low, fanout: { policy: fanout.hedged } }";
    RunSpec run = Models.run(model, Models.reads(2), 0.4, 12_000, 1);
    Map<String, Double> metrics =
        new Simulation(model, Models.reads(2), strategy, run).run().metrics();
    assertThat(metrics.get("wasted_reads_pct")).isPositive();
    assertThat(metrics.get("wasted_work_pct"))
        .isCloseTo(metrics.get("wasted_reads_pct"), within(0.01));
    assertThat(metrics.get("service_us_per_read")).isCloseTo(1_000, within(0.1));
    double work = 40 * (1 + metrics.get("copies_pct") / 100);
    assertThat(metrics.get("utilisation_pct")).isCloseTo(work, within(1.5));
  }

  /** In a pause no core works, and afterwards it works no more than all the time. */
  @Test
  @Timeout(60)
  void aTimelineShowsNoWorkInAPauseAndNoMoreThanAllAfterIt() {
    Fault pause = Fault.of(0, Trouble.PAUSED, SECOND / 2, SECOND * 3 / 4, 1);
    ModelSpec model = Models.bare(1, 1, 1, Scatter.NONE, 0).with(List.of(pause));
    RunSpec rate = Models.run(model, Models.reads(1), 0.4, 600, 1);
    RunSpec run =
        new RunSpec(
            rate.requestsPerSecond(),
            rate.arrivals(),
            rate.requests(),
            0,
            1,
            List.of(),
            10,
            SECOND / 20,
            0);
    List<Double> used =
        new Simulation(model, Models.reads(1), Models.RANDOM, run)
            .run().timeline().stream()
                .filter(point -> point.metric().equals(Outcome.UTILISATION))
                .map(Outcome.Point::value)
                .toList();
    assertThat(used).contains(0.0).allMatch(percent -> percent <= 102);
  }

  /**
   * Each message costs 10 us at every replica that sends or receives it: the read and its answer,
   * the cancellations of tied copies at both replicas, and a copy that a tombstone drops.
   */
  @ParameterizedTest
  @CsvSource({
    "'policy: fanout.none', 1020",
    "'policy: fanout.speculative-retry, threshold: always', 1020",
    "'policy: fanout.tied, stagger: 0ms, most-in-vain: 100%', 1040",
    "'policy: fanout.tied, stagger: 200us', 1050",
    "'policy: fanout.tied, stagger: 2ms', 1040",
  })
  @Timeout(60)
  void messagesCostTheReplicasThatSendAndReceiveThem(String fanout, double us) {
    ModelSpec even = Models.with(Models.bare(2, 1, 2, Scatter.NONE, 0), new Network(50_000, 0, 0));
    Outcome outcome = alone(fanout, Models.with(even, new Cpu(10_000, 1, 0, 0, 0)));
    assertThat(outcome.metrics().get("service_us_per_read")).isCloseTo(us, within(0.2));
  }

  /** One message to the peer, and a cancellation from the copy that starts to the other one. */
  @Test
  @Timeout(60)
  void aReplicaPaysForTheCopiesThatItPassesOn() {
    String strategy =
        "strategy: { select: select.random, fanout: { policy: fanout.tied, sender: replica, stagger:"
            + " 100us, most-in-vain: 100% } }";
    double[] us = new double[2];
    double messages = 0;
    for (int i = 0; i < 2; i++) {
      ModelSpec model = Models.with(Models.cluster(List.of()), new Cpu(i * 1_000, 1, 0, 0, 0));
      RunSpec run = Models.run(model, Models.reads(1), 0.7, 40_000, 1);
      Map<String, Double> metrics =
          new Simulation(model, Models.reads(1), strategy, run).run().metrics();
      us[i] = metrics.get("service_us_per_read");
      double copies = metrics.get("copies_pct") / 100;
      double wasted = metrics.get("wasted_reads_pct") / 100;
      double twice = wasted / (1 - wasted);
      assertThat(copies).isGreaterThan(0.3);
      messages = (2 + 4 * copies + 3 * twice) / (1 + twice);
    }
    assertThat(us[1] - us[0]).isCloseTo(messages, within(0.05));
  }

  /**
   * Half of the first copies go to a node 400 us away and start there at 450 us. The cancellation
   * needs until 900 us, and the other node gets the copy at 550 us: one run of three is in vain.
   */
  @Test
  @Timeout(60)
  void aFarNodesCancellationComesLate() {
    Fault far = new Fault(Place.NODE, 0, Trouble.FAR, 0, 86_400 * SECOND, 0, 1, 400_000);
    String fanout = "policy: fanout.tied, stagger: 500us, most-in-vain: 100%";
    assertThat(alone(fanout, List.of(far)).metrics().get("wasted_reads_pct"))
        .isCloseTo(100 / 3.0, within(3.0));
  }

  /** Otherwise every read that opened a node earlier would leave an attempt behind for good. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "fanout: { policy: fanout.brb-credits, node-cores: 2, clients: 4, depth: 1ms }",
        "select: { policy: select.c3-rate-control, burst: 2, first-rate: 2 }"
      })
  @Timeout(60)
  void aGateIsLookedAtOnceForEachOpening(String part) {
    String strategy = "strategy: { " + part + ", facts: [pending-reads, service-time] }";
    ModelSpec model = Models.cluster(List.of());
    RunSpec run = Models.run(model, Models.reads(1), 0.95, 20_000, 1);
    Outcome.Cost cost = new Simulation(model, Models.reads(1), strategy, run).run().cost();
    assertThat((double) cost.events() / cost.reads()).isLessThan(8);
  }

  /** A gate chooses the node of a read that waited when it lets the read go. */
  @ParameterizedTest
  @ValueSource(
      strings = {"fanout.speculative-retry, threshold: always", "fanout.hedged, first-delay: 1us"})
  @Timeout(60)
  void aCopyGoesToAnotherNodeThanTheFirstAlsoBehindAGate(String fanout) {
    String strategy =
        "strategy: { select: { policy: select.c3-rate-control, burst: 2, first-rate: 20 },"
            + " fanout: { policy: "
            + fanout
            + " }, facts: [pending-reads, service-time] }";
    ModelSpec model = Models.cluster(List.of());
    RunSpec run = Models.run(model, Models.mixed(), 0.2, 5_000, 1);
    int[] copies = new int[2];
    new Simulation(
            model,
            Models.mixed(),
            strategy,
            run,
            new Checks(),
            (world, id, order) ->
                new Replica(world, id, order) {
                  @Override
                  void arrive(Read read) {
                    if (read.twins != null && read.twins.second == read) {
                      Read first = read.twins.first;
                      copies[first != null && first.node == id ? 1 : 0]++;
                    }
                    super.arrive(read);
                  }
                })
        .run();
    assertThat(copies[0]).isPositive();
    assertThat(copies[1]).as("copies at the first one's node").isZero();
  }

  /** Otherwise a node that is always second would seem to have stalled. */
  @Test
  @Timeout(60)
  void aPlannerHearsOfEveryAnswerAlsoOfTheSecond() {
    HearingPlanner.HEARD.get()[0] = 0;
    Outcome outcome = play("policy: fanout.hearing", 0.3, List.of());
    assertThat(outcome.metrics().get("copies_pct")).isGreaterThan(90);
    assertThat(HearingPlanner.HEARD.get()[0]).isEqualTo(outcome.cost().reads());
  }

  /** As on nodes: a replica that has passed a read on has not stalled. */
  @Test
  @Timeout(60)
  void aPlannerHearsOfTheNodeThatPassedOnWhatAnotherAnswered() {
    HearingPlanner.HEARD.get()[0] = 0;
    Outcome outcome = play("policy: fanout.hearing-passed-on", 0.6, List.of());
    assertThat(outcome.metrics().get("copies_pct")).isGreaterThan(10);
    assertThat(HearingPlanner.HEARD.get()[0]).isGreaterThan(outcome.cost().reads() * 105 / 100);
  }

  /** The wait for a node's queue is its work over this number, as on a node. */
  @Test
  void aPlannerKnowsHowManyReadsANodeServesAtOnce() {
    ModelSpec model = Models.withReadThreads(Models.cluster(List.of()), 16);
    RunSpec run = Models.run(model, Models.reads(1), 0.1, 10, 1);
    String strategy = "strategy: { fanout: fanout.hearing }";
    new Simulation(model, Models.reads(1), strategy, run).run();
    assertThat(HearingPlanner.SERVED_AT_ONCE.get()[0]).isEqualTo(16);
  }

  /** With their request's id they would precede cheaper reads and be served twice. */
  @Test
  @Timeout(60)
  void copiesStandBehindThePeersOwnReads() {
    Outcome tied =
        play(
            "policy: fanout.tied, stagger: 50us, sender: replica, rank: brb-equalmax,"
                + " longest-first: true, cancel: started",
            0.7,
            List.of());
    assertThat(tied.metrics().get("copies_pct")).isGreaterThan(30);
    assertThat(tied.metrics().get("wasted_work_pct")).isPositive().isLessThan(1.5);
    assertThat(tied.metrics().get("utilisation_pct")).isLessThan(72);
  }

  @Test
  @Timeout(60)
  void tiedCopiesSeldomRunTwice() {
    Outcome always = play("policy: fanout.speculative-retry, threshold: always", 0.3, List.of());
    Outcome tied = play("policy: fanout.tied, stagger: 200us", 0.3, List.of());
    assertThat(tied.metrics().get("wasted_work_pct")).isBetween(0.01, 10.0);
    assertThat(always.metrics().get("wasted_work_pct"))
        .isGreaterThan(4 * tied.metrics().get("wasted_work_pct"));
  }

  /**
   * A refused hedge is tried again; otherwise all reads that wait for a stopped node would stay
   * there.
   */
  @Test
  @Timeout(60)
  void hedgesCoverANodeThatPauses() {
    Fault pause =
        new Fault(Place.NODE, 0, Trouble.PAUSED, SECOND / 2, SECOND * 6 / 10, SECOND, 1, 0);
    long without = slow(play("policy: fanout.brb-equalmax", 0.5, List.of(pause)));
    String hedged = "policy: fanout.hedged, rank: brb-equalmax, first-delay: 2ms";
    Outcome with = play(hedged, 0.5, List.of(pause));
    assertThat(without).isPositive();
    assertThat(slow(with)).isLessThan(without * 3 / 4);
    assertThat(with.metrics().get("copies_pct")).isLessThan(5);
  }

  /** Many reads wait at the node at once, more than the common budget allows for. */
  @ParameterizedTest
  @ValueSource(
      strings = {"fanout.hedged", "fanout.tied, stagger: 200us, sender: replica, cancel: started"})
  @Timeout(60)
  void readsOfANodeThatPausesAreRescued(String policy) {
    Fault pause =
        new Fault(Place.NODE, 0, Trouble.PAUSED, SECOND / 2, SECOND * 6 / 10, SECOND, 1, 0);
    String fanout = "policy: " + policy + ", rank: brb-equalmax, rescues: ";
    Outcome without = play(fanout + "0", 0.5, List.of(pause));
    Outcome with = play(fanout + "100", 0.5, List.of(pause));
    assertThat(slow(without)).isPositive();
    assertThat(slow(with)).isLessThan(slow(without) / 4);
    assertThat(with.metrics().get("wasted_work_pct")).isLessThan(5);
  }

  /** The copy started later and was stopped; its own cancellation arrives after the rescue left. */
  @Test
  @Timeout(60)
  void theCancellationOfACopyThatWasStoppedDoesNotStopARescuedRead() {
    ModelSpec model = Models.with(Models.cluster(List.of()), new Network(200_000, 0, 0));
    String strategy =
        "strategy: { select: select.low, fanout: { policy: fanout.tied, stagger: 200us, sender:"
            + " replica, cancel: started, silence: 0.1, rank: brb-equalmax } }";
    RunSpec run = Models.run(model, Models.mixed(), 0.6, 5_000, 1);
    Outcome outcome = new Simulation(model, Models.mixed(), strategy, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
  }

  /** As on nodes: a stalled node executes what its copies have answered, once it goes on. */
  @ParameterizedTest
  @CsvSource({
    "'policy: fanout.hedged, first-delay: 2ms', false",
    "'policy: fanout.hedged, first-delay: 2ms, cancel: queued', true",
    "'policy: fanout.tied, stagger: 1s, sender: replica', false",
  })
  @Timeout(60)
  void aHedgeOrARescueCancelsNothing(String fanout, boolean cancels) {
    Fault stall =
        new Fault(Place.NODE, 0, Trouble.PAUSED, SECOND / 2, SECOND * 6 / 10, SECOND, 1, 0);
    ModelSpec model =
        Models.with(Models.bare(2, 1, 2, Scatter.NONE, 0), new Network(50_000, 0, 0))
            .with(List.of(stall));
    String strategy = "strategy: { select: select.low, fanout: { " + fanout + " } }";
    RunSpec run = Models.run(model, Models.reads(1), 0.2, 10_000, 1);
    Outcome outcome = new Simulation(model, Models.reads(1), strategy, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.metrics().get("copies_pct")).isPositive();
    assertThat(outcome.checks().get(0).detail().contains("+ 0 cancelled")).isEqualTo(!cancels);
    if (!cancels) {
      double runs = 100 + outcome.metrics().get("copies_pct");
      assertThat(outcome.metrics().get("wasted_reads_pct") / 100 * runs)
          .isCloseTo(outcome.metrics().get("copies_pct"), within(0.05));
    }
  }

  /** A timer of a copy that is never sent is no read on its way. */
  @Test
  @Timeout(60)
  void readsOnTheirWayAreThoseThatWereSentAndNotAnswered() {
    double without = play("policy: fanout.none", 0.5, List.of()).metrics().get(ON_THEIR_WAY);
    String never = "policy: fanout.speculative-retry, threshold: 1s";
    assertThat(play(never, 0.5, List.of()).metrics().get(ON_THEIR_WAY)).isEqualTo(without);
    assertThat(without).isBetween(20.0, 2_000.0);
  }

  private static long slow(Outcome outcome) {
    return outcome.all().nanos().getCountBetweenValues(40_000_000, SECOND);
  }

  @Test
  @Timeout(60)
  void replicaWithoutBudgetHandsNothingOn() {
    String fanout =
        "policy: fanout.tied, stagger: 200us, sender: replica, most-in-vain: 100%, burst: 1,"
            + " budget: ";
    double free = play(fanout + "100", 0.7, List.of()).metrics().get("copies_pct");
    double tenth = play(fanout + "0.1", 0.7, List.of()).metrics().get("copies_pct");
    assertThat(free).isGreaterThan(20);
    assertThat(tenth).isBetween(5.0, 10.1);
  }

  /**
   * With similar requests and long queues, both copies of a read reach their turn at the same time.
   * Without the bound the reads in vain saturate the nodes, and then every read is copied.
   */
  @ParameterizedTest
  @ValueSource(strings = {"replica", "coordinator"})
  @Timeout(120)
  void copiesThatDoNotPayAreFew(String sender) {
    Map<String, Double> metrics = alike(sender, "7%");
    assertThat(metrics.get("stable")).isEqualTo(1);
    assertThat(metrics.get("wasted_reads_pct")).isLessThan(3);
    assertThat(metrics.get("copies_pct")).isLessThan(50);
    assertThat(alike(sender, "100%").get("wasted_reads_pct")).as("unbounded").isGreaterThan(8);
  }

  private static Map<String, Double> alike(String sender, String mostInVain) {
    String strategy =
        "strategy: { select: select.low, order: order.boost, fanout: { policy: fanout.tied,"
            + " stagger: 1ms, rank: brb-equalmax, longest-first: true, sender: "
            + sender
            + ", most-in-vain: "
            + mostInVain
            + " }, facts: [slowness] }";
    ModelSpec model = Models.cluster(List.of());
    RunSpec run = Models.run(model, Models.reads(10), 0.9, 30_000, 1);
    return new Simulation(model, Models.reads(10), strategy, run).run().metrics();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy: fanout.brb-equalmax",
        "policy: fanout.hedged, rank: brb-equalmax, cancel: started",
        "policy: fanout.tied, stagger: 200us, cancel: started",
        "policy: fanout.tied, stagger: 200us, sender: replica, cancel: started, abort-after: 50us",
      })
  @Timeout(60)
  void lostMessagesCostTheirReadsAndNoOthers(String fanout) {
    String strategy =
        "strategy: { select: select.low, order: order.bottleneck, fanout: { " + fanout + " } }";
    ModelSpec model = Models.with(Models.cluster(List.of()), new Network(50_000, 0.5, 0.01));
    SourceSpec source = Models.mixed();
    RunSpec run = Models.run(model, source, 0.5, 10_000, 1);
    Outcome outcome = new Simulation(model, source, strategy, run).run();
    assertThat(outcome.checks()).as(fanout).allMatch(Check::holds);
    assertThat(outcome.all().errors()).isPositive().isLessThan(outcome.all().count() / 4);
  }

  @Test
  void copySavesReadsOfADeadNode() {
    Fault dead = Fault.of(2, Trouble.DEAD, 500_000_000L, 800_000_000L, 1);
    long without = play("policy: fanout.brb-equalmax", 0.3, List.of(dead)).all().errors();
    long with =
        play("policy: fanout.speculative-retry, threshold: 5ms", 0.3, List.of(dead)).all().errors();
    assertThat(without).isPositive();
    assertThat(with).isLessThan(without);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "policy: fanout.brb-credits, node-cores: 2, clients: 3",
        "policy: fanout.brb-credits, node-cores: 2, clients: 3, per: subtask",
        "policy: fanout.tailx-hold",
        "policy: fanout.tailx-slack",
      })
  void heldReadsAreSent(String fanout) {
    assertThat(play(fanout, 0.6, List.of()).all().errors()).isZero();
  }

  @Test
  void boundIsNoWorseThanAnyPolicy() {
    ModelSpec model = Models.cluster(List.of());
    SourceSpec source = Models.mixed();
    RunSpec run = Models.run(model, source, 0.7, 20_000, 1);
    Outcome ideal =
        new Simulation(model, source, "strategy: { bound: bound.ideal-equalmax }", run).run();
    Outcome random = new Simulation(model, source, Models.RANDOM, run).run();
    assertThat(ideal.checks()).allMatch(Check::holds);
    assertThat(ideal.all().meanNanos()).isLessThan(random.all().meanNanos() / 2);
  }
}
