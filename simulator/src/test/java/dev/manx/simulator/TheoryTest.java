/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static dev.manx.simulator.Models.SERVICE_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.simulator.ModelSpec.Cpu;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.workload.Arrivals;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queueing theory for closed loops, shared cores, and work of messages and coordinators. */
@Timeout(120)
@Tag("slow")
class TheoryTest {
  private static final int SEEDS = 5;

  /** Means over seeds. */
  private record Means(double latency, double utilisation, double perSecond) {}

  private static Means play(ModelSpec model, RunSpec run) {
    double latency = 0;
    double utilisation = 0;
    double perSecond = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      RunSpec seeded =
          new RunSpec(
              run.requestsPerSecond(),
              run.arrivals(),
              run.requests(),
              run.warmUpShare(),
              seed,
              List.of(),
              run.narrowMaxReads(),
              0,
              run.thinkNanos());
      Outcome outcome = new Simulation(model, Models.reads(1), Models.RANDOM, seeded).run();
      assertThat(outcome.checks()).as("seed %d", seed).allMatch(Check::holds);
      latency += outcome.all().meanNanos() / SERVICE_NANOS / SEEDS;
      utilisation += outcome.metrics().get("utilisation_pct") / 100 / SEEDS;
      perSecond += outcome.metrics().get("reads_per_s") / SEEDS;
    }
    return new Means(latency, utilisation, perSecond);
  }

  private static RunSpec open(ModelSpec model, double load, long requests) {
    return Models.run(model, Models.reads(1), load, requests, 1);
  }

  /**
   * The machine-repair model: n clients that think 4 services on average, one server, both
   * exponential. With r = 1/4 the server is idle for 1 over the sum of n!/(n-k)! r^k, and a request
   * takes n over the throughput, less the thinking.
   */
  @Test
  void closedLoopIsTheMachineRepairModel() {
    int clients = 5;
    double sum = 0;
    double term = 1;
    for (int k = 0; k <= clients; k++) {
      sum += term;
      term *= (clients - k) * 0.25;
    }
    double busy = 1 - 1 / sum;
    ModelSpec model = Models.bare(1, 1, 1, Scatter.EXPONENTIAL, 1);
    RunSpec run =
        new RunSpec(
            clients / (4 * SERVICE_NANOS / 1e9),
            Arrivals.POISSON,
            400_000,
            0.05,
            1,
            List.of(),
            10,
            0,
            4 * SERVICE_NANOS);
    assertThat(run.clients()).isEqualTo(clients);
    Means means = play(model, run);
    assertThat(means.utilisation()).isCloseTo(busy, Percentage.withPercentage(1));
    assertThat(means.latency()).isCloseTo(clients / busy - 4, Percentage.withPercentage(1));
  }

  /** A million requests a second with an hour of thought: more clients than an int counts. */
  @Test
  void aClosedLoopHasNoMoreClientsThanRequests() {
    long hour = 3_600_000_000_000L;
    assertThat(RunSpec.clients(1e6, hour)).isEqualTo(3_600_000_000L);
    assertThatThrownBy(
            () -> new RunSpec(1e6, Arrivals.POISSON, 100, 0.05, 1, List.of(), 10, 0, hour))
        .isInstanceOf(IllegalArgumentException.class);
    RunSpec run =
        new RunSpec(1e6, Arrivals.POISSON, 100, 0.05, 1, List.of(), 10, 0, hour / 36_000_000);
    assertThat(run.clients()).isEqualTo(100);
    ModelSpec model = Models.bare(1, 1, 1, Scatter.NONE, 0);
    Outcome outcome = new Simulation(model, Models.reads(1), Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.all().count()).isEqualTo(95);
  }

  /**
   * Clients that hardly ever wait. Half of the requests were once sent by fewer and fewer clients,
   * at 3,200 a second.
   */
  @Test
  void aClosedLoopKeepsItsRateUpToTheLastRequest() {
    int clients = 5_000;
    ModelSpec model = Models.bare(10, 64, 1, Scatter.EXPONENTIAL, 1);
    RunSpec run =
        new RunSpec(clients, Arrivals.POISSON, 10_000, 0.05, 1, List.of(), 10, 0, 1_000_000_000);
    assertThat(run.clients()).isEqualTo(clients);
    Outcome outcome = new Simulation(model, Models.reads(1), Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.all().count()).isEqualTo(9_500);
    double perSecond = outcome.all().answeredInWindow() / (outcome.windowNanos() / 1e9);
    assertThat(perSecond)
        .isCloseTo(clients / (1 + SERVICE_NANOS / 1e9), Percentage.withPercentage(5));
    assertThat(outcome.metrics())
        .containsEntry(Outcome.CLIENTS, (double) clients)
        .doesNotContainKeys("offered_per_s", "offered_load_pct");
  }

  /** Otherwise clients that think for the same time would send in step for the whole run. */
  @Test
  void clientsOfAClosedLoopWithFixedTimesAreNotInStep() {
    int clients = 50;
    long think = 49 * SERVICE_NANOS;
    RunSpec run =
        new RunSpec(clients * 1e9 / think, Arrivals.FIXED, 5_000, 0.05, 1, List.of(), 10, 0, think);
    assertThat(run.clients()).isEqualTo(clients);
    ModelSpec model = Models.bare(1, 64, 1, Scatter.NONE, 0);
    Outcome outcome = new Simulation(model, Models.reads(1), Models.RANDOM, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    assertThat(outcome.metrics().get("most_reads_on_their_way")).isLessThan(10.0);
  }

  /** The mean time under processor sharing is the same for every distribution of service. */
  @Test
  void sharedCoreDoesNotMindTheDistribution() {
    for (double cv : new double[] {0, 1.5}) {
      ModelSpec model =
          Models.withReadThreads(
              Models.bare(1, 1, 1, cv == 0 ? Scatter.NONE : Scatter.LOGNORMAL, cv), 512);
      Means means = play(model, open(model, 0.5, 300_000));
      assertThat(means.latency())
          .as("coefficient of variation %s", cv)
          .isCloseTo(2, Percentage.withPercentage(1));
      assertThat(means.utilisation()).isCloseTo(0.5, Percentage.withPercentage(1));
    }
  }

  /** With exponential service two shared cores are M/M/2: an offered load of 1.4 waits 0.5765. */
  @Test
  void twoSharedCoresAreTwoServers() {
    ModelSpec model = Models.withReadThreads(Models.bare(1, 2, 1, Scatter.EXPONENTIAL, 1), 512);
    double last = 1.4 * 1.4 / 2 / 0.3;
    double waits = last / (1 + 1.4 + last);
    assertThat(play(model, open(model, 0.7, 400_000)).latency())
        .isCloseTo(1 + waits / (2 * 0.3), Percentage.withPercentage(1));
  }

  /**
   * A disk that is busy half of the time with misses of 1 is M/D/1 with a wait of a half. On two
   * disks with half of the misses each they would wait less; with a disk per miss they do not wait.
   * Every read is a miss and also needs 1 of a core, with enough cores.
   */
  @Test
  void missesQueueAtTheDisk() {
    assertThat(withDisks(1).latency).isCloseTo(2.5, Percentage.withPercentage(1));
    assertThat(withDisks(2).latency).isBetween(2.0, 2.1);
    assertThat(withDisks(0).latency).isCloseTo(2, Percentage.withPercentage(0.001));
  }

  private static Means withDisks(int disks) {
    ModelSpec model =
        Models.with(
            Models.bare(1, 64, 1, Scatter.NONE, 0),
            new ModelSpec.Cache(0, SERVICE_NANOS, 0, disks));
    return play(model, open(model, 0.5 / 64, 300_000));
  }

  /**
   * Reads do not wait at the replica, so time beyond the service is an M/D/1 queue at half load.
   */
  @Test
  void coordinatorsWorkQueuesToo() {
    ModelSpec model =
        Models.with(
            Models.bare(1, 1_024, 1, Scatter.NONE, 0),
            new Cpu(0, 1, SERVICE_NANOS / 2, SERVICE_NANOS / 4, 0));
    double work = 0.75;
    double load = 0.5;
    double wait = load * work / (2 * (1 - load));
    Means means = play(model, open(model, load / work / 1_024, 300_000));
    assertThat(means.latency()).isCloseTo(1 + work + wait, Percentage.withPercentage(1));
  }

  @Test
  void messagesTakeTimeOfCores() {
    ModelSpec model =
        Models.with(Models.bare(1, 1, 1, Scatter.NONE, 0), new Cpu(SERVICE_NANOS / 10, 1, 0, 0, 0));
    Means means = play(model, open(model, 0.5, 200_000));
    assertThat(means.utilisation()).isCloseTo(0.6, Percentage.withPercentage(1));
  }

  @Test
  void stabilityIsKnownBeyondEightyFivePercent() {
    ModelSpec even = Models.bare(1, 1, 1, Scatter.EXPONENTIAL, 1);
    assertThat(stable(even, 0.95)).isTrue();
    assertThat(stable(even, 1.05)).as("more than it can serve").isFalse();
    // A fifth of the speed and half of the reads: 1.8 times the capacity of that node.
    ModelSpec uneven =
        Models.with(
            Models.bare(2, 1, 2, Scatter.EXPONENTIAL, 1), new Speeds(List.of(1.0, 0.2), 0, 1, 0));
    assertThat(stable(uneven, 0.6)).as("one node drowns").isFalse();
    assertThat(stable(uneven, 0.3)).isTrue();
    assertThat(stable(uneven, 0.6, 0.67)).as("one node drowns, after a long warm-up").isFalse();
    assertThat(stable(even, 0.95, 0.67)).isTrue();
    ModelSpec fast = Models.with(even, new Speeds(List.of(), SERVICE_NANOS, 3, 1));
    assertThat(stable(fast, 1.5)).as("half of what fast nodes can serve").isTrue();
    assertThat(stable(fast, 3.1)).as("more than they can serve").isFalse();
  }

  /** Beyond its capacity a cluster does not answer more, however many requests arrive. */
  @Test
  void throughputIsAtMostTheCapacity() {
    ModelSpec model = Models.bare(2, 2, 2, Scatter.EXPONENTIAL, 1);
    double capacity = 4 / (SERVICE_NANOS / 1e9);
    assertThat(throughput(model, 0.5)).isCloseTo(capacity / 2, Percentage.withPercentage(2));
    assertThat(throughput(model, 1.5)).isCloseTo(capacity, Percentage.withPercentage(2));
  }

  private static double throughput(ModelSpec model, double load) {
    RunSpec run = Models.run(model, Models.reads(1), load, 50_000, 1);
    Outcome outcome = new Simulation(model, Models.reads(1), Models.RANDOM, run).run();
    return outcome.all().answeredInWindow() / (outcome.windowNanos() / 1e9);
  }

  private static boolean stable(ModelSpec model, double load) {
    return stable(model, load, 0.05);
  }

  private static boolean stable(ModelSpec model, double load, double warmUpShare) {
    RunSpec usual = Models.run(model, Models.reads(1), load, 50_000, 1);
    RunSpec run =
        new RunSpec(
            usual.requestsPerSecond(),
            usual.arrivals(),
            usual.requests(),
            warmUpShare,
            usual.seed(),
            List.of(),
            usual.narrowMaxReads(),
            0,
            0);
    Outcome outcome = new Simulation(model, Models.reads(1), Models.RANDOM, run).run();
    assertThat(outcome.metrics().get("offered_load_pct"))
        .isCloseTo(100 * load, Percentage.withPercentage(0.1));
    return outcome.metrics().get(Outcome.STABLE) > 0;
  }
}
