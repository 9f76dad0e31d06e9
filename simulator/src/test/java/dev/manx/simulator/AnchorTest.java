/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static dev.manx.simulator.Models.SERVICE_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.source.SourceSpec;
import dev.manx.workload.result.Histograms;
import org.HdrHistogram.Histogram;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * Queueing theory as the oracle: means within 1 %, P99 within 3 %, over ten seeds. The run lengths
 * put the standard error of each mean below a third of that.
 */
@Tag("slow")
class AnchorTest {
  private static final int SEEDS = 10;
  private static final double RHO = 0.7;

  /** Ten seeds pooled. */
  private record Pooled(double mean, double p99, double waitedShare) {}

  private static Pooled play(ModelSpec model, SourceSpec source, double load, long requests) {
    double mean = 0;
    double waited = 0;
    Histogram all = Histograms.create();
    for (int seed = 1; seed <= SEEDS; seed++) {
      Outcome outcome =
          new Simulation(
                  model, source, Models.RANDOM, Models.run(model, source, load, requests, seed))
              .run();
      assertThat(outcome.checks()).as("seed %d", seed).allMatch(Check::holds);
      mean += outcome.all().meanNanos() / SERVICE_NANOS / SEEDS;
      waited += outcome.metrics().get("reads_waited_pct") / 100 / SEEDS;
      all.add(outcome.all().nanos());
    }
    return new Pooled(mean, all.getValueAtPercentile(99) / (double) SERVICE_NANOS, waited);
  }

  @Test
  void singleServerWithExponentialService() {
    ModelSpec model = Models.bare(1, 1, 1, Scatter.EXPONENTIAL, 1);
    Pooled mm1 = play(model, Models.reads(1), RHO, 600_000);
    assertThat(mm1.mean()).isCloseTo(1 / (1 - RHO), Percentage.withPercentage(1));
    assertThat(mm1.p99()).isCloseTo(Math.log(100) / (1 - RHO), Percentage.withPercentage(3));
    assertThat(mm1.waitedShare()).isCloseTo(RHO, Percentage.withPercentage(1));
  }

  @Test
  void fourServersWithExponentialService() {
    ModelSpec model = Models.bare(1, 4, 1, Scatter.EXPONENTIAL, 1);
    Pooled mm4 = play(model, Models.reads(1), RHO, 600_000);
    double offered = 4 * RHO;
    double last = Math.pow(offered, 4) / 24 / (1 - RHO);
    double waits = last / (1 + offered + offered * offered / 2 + Math.pow(offered, 3) / 6 + last);
    assertThat(waits).isCloseTo(0.429, Percentage.withPercentage(0.1));
    assertThat(mm4.waitedShare()).isCloseTo(waits, Percentage.withPercentage(1));
    assertThat(mm4.mean()).isCloseTo(1 + waits / (4 * (1 - RHO)), Percentage.withPercentage(1));
  }

  @Test
  void anyServiceTimeFollowsPollaczekAndKhinchine() {
    for (double cv : new double[] {0, 1.5}) {
      ModelSpec model = Models.bare(1, 1, 1, cv == 0 ? Scatter.NONE : Scatter.LOGNORMAL, cv);
      Pooled mg1 = play(model, Models.reads(1), 0.5, 600_000);
      double wait = 0.5 / (1 - 0.5) * (1 + cv * cv) / 2;
      assertThat(mg1.mean())
          .as("coefficient of variation %s", cv)
          .isCloseTo(1 + wait, Percentage.withPercentage(1));
    }
  }

  @Test
  void requestEndsWithTheLongestOfItsReads() {
    ModelSpec model = Models.bare(1, 1024, 1, Scatter.EXPONENTIAL, 1);
    Pooled max = play(model, Models.reads(10), 0.01, 20_000);
    double harmonic = 0;
    for (int k = 1; k <= 10; k++) {
      harmonic += 1.0 / k;
    }
    assertThat(harmonic).isCloseTo(2.929, Percentage.withPercentage(0.01));
    assertThat(max.mean()).isCloseTo(harmonic, Percentage.withPercentage(1));
  }

  @Test
  void randomChoiceGivesEachNodeItsOwnSingleServer() {
    ModelSpec model = Models.bare(10, 1, 10, Scatter.EXPONENTIAL, 1);
    Pooled split = play(model, Models.reads(1), RHO, 600_000);
    assertThat(split.mean()).isCloseTo(1 / (1 - RHO), Percentage.withPercentage(1));
  }

  /**
   * Shares of nodes with at least 4 and 5 reads as arrivals see them (Poisson arrivals see time
   * averages): {@code lambda^i} for a random choice, {@code lambda^(2^i - 1)} for the better of two
   * in the limit of many nodes (Mitzenmacher 2001). Lambda is the actual load of the run, the share
   * of nodes with at least one read: in the 15th power the noise of a nominal value would dominate.
   */
  @Test
  @Timeout(600)
  @EnabledIfEnvironmentVariable(
      named = "MANX_FULL",
      matches = "1",
      disabledReason = "./test --full simulates many nodes for a minute")
  void twoChoicesShortenTheQueuesDoublyExponentially() {
    Shares two = shares("strategy: { select: { policy: select.p2c } }", 1_000, 400_000);
    assertThat(two.one).isCloseTo(0.9, Percentage.withPercentage(0.5));
    assertThat(two.four).isCloseTo(Math.pow(two.one, 15), Percentage.withPercentage(1));
    assertThat(two.five).isCloseTo(Math.pow(two.one, 31), Percentage.withPercentage(3));
    Shares one = shares(Models.RANDOM, 100, 800_000);
    assertThat(one.one).isCloseTo(0.9, Percentage.withPercentage(0.5));
    assertThat(one.four).isCloseTo(Math.pow(one.one, 4), Percentage.withPercentage(1));
    assertThat(one.five).isCloseTo(Math.pow(one.one, 5), Percentage.withPercentage(1));
  }

  /** Shares of nodes with at least the given number of reads, ten seeds pooled. */
  private record Shares(double one, double four, double five) {}

  private static Shares shares(String strategy, int nodes, long requests) {
    ModelSpec model = Models.bare(nodes, 1, nodes, Scatter.EXPONENTIAL, 1);
    SourceSpec source = Models.reads(1);
    long[] looks = new long[1];
    long[] withReads = new long[6];
    for (int seed = 1; seed <= SEEDS; seed++) {
      RunSpec run = Models.run(model, source, 0.9, requests, seed);
      Replica.Maker maker =
          (world, id, order) ->
              new Replica(world, id, order) {
                @Override
                void arrive(Read read) {
                  // A tenth settles; then every n-th arrival samples all n nodes.
                  long request = read.flight.sequence;
                  if (request > requests / 10 && request % nodes == 0) {
                    looks[0] += nodes;
                    for (Replica replica : world.replicas) {
                      withReads[(int) Math.min(5, replica.load.pending())]++;
                    }
                  }
                  super.arrive(read);
                }
              };
      new Simulation(model, source, strategy, run, new Checks(), maker).run();
    }
    double five = withReads[5];
    double all = looks[0];
    return new Shares(1 - withReads[0] / all, (five + withReads[4]) / all, five / all);
  }
}
