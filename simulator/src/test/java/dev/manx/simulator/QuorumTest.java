/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static dev.manx.simulator.Models.SERVICE_NANOS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.ModelSpec.Speeds;
import dev.manx.simulator.ModelSpec.Trouble;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import java.util.List;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads at several replicas, which end when all of them have answered. */
@Timeout(120)
@Tag("slow")
class QuorumTest {
  /** As a node writes a message to each replica that a read asks. */
  @ParameterizedTest
  @CsvSource({"1, 2", "2, 3", "3, 4", "4, 4"})
  @Timeout(60)
  void aCoordinatorPaysForEachMessageOfARead(int contacts, double ms) {
    ModelSpec model =
        Models.with(
            Models.bare(3, 1, 3, Scatter.NONE, 0), new ModelSpec.Cpu(0, 1, 0, 1_000_000, 0));
    Outcome outcome = play(model, new Asking(Models.reads(1), contacts), Models.RANDOM, 0.001, 500);
    assertThat(outcome.all().meanNanos() / 1e6).isCloseTo(ms, within(0.05));
  }

  /** Every tenth request asks one replica, the others two. */
  private static SourceSpec seldomOne() {
    return new SourceSpec() {
      @Override
      public Source open(Streams streams, int nodes, long run) {
        Source requests = Models.reads(1).open(streams, nodes, run);
        int[] drawn = {0};
        return draw -> {
          requests.next(draw);
          draw.asks(0, ++drawn[0] % 10 == 0 ? 1 : 2);
        };
      }

      @Override
      public double meanReads() {
        return 1.9;
      }

      @Override
      public double meanBytes() {
        return Models.reads(1).meanBytes();
      }

      @Override
      public int largeFromBytes() {
        return Models.reads(1).largeFromBytes();
      }
    };
  }

  /** Nodes send no copies of them, so they refill no budget of copies there either. */
  @Test
  void readsAtSeveralReplicasEarnNoCopies() {
    String strategy =
        "strategy: { select: select.random, fanout: { policy: fanout.hedged, after: 0.5, burst: 1,"
            + " budget: 0.05, rescues: 0 } }";
    Outcome outcome = play(Models.cluster(List.of()), seldomOne(), strategy, 0.6, 40_000);
    double copiesOfOnes = outcome.metrics().get("copies_pct") * 19;
    assertThat(copiesOfOnes).isPositive().isLessThan(4);
  }

  /** The requests of another source, with each read sent to a given number of replicas. */
  private record Asking(SourceSpec source, int contacts) implements SourceSpec {
    @Override
    public Source open(Streams streams, int nodes, long run) {
      Source requests = source.open(streams, nodes, run);
      return draw -> {
        requests.next(draw);
        for (int read = 0; read < draw.reads(); read++) {
          draw.asks(read, contacts);
        }
      };
    }

    @Override
    public double meanReads() {
      return contacts * source.meanReads();
    }

    @Override
    public double meanBytes() {
      return source.meanBytes();
    }

    @Override
    public int largeFromBytes() {
      return source.largeFromBytes();
    }
  }

  private static Outcome play(
      ModelSpec model, SourceSpec source, String strategy, double load, long requests) {
    RunSpec run = Models.run(model, source, load, requests, 1);
    Outcome outcome = new Simulation(model, source, strategy, run).run();
    assertThat(outcome.checks()).as(strategy).allMatch(Check::holds);
    return outcome;
  }

  /**
   * Two nodes that both get each read are the fork-join queue, whose mean time for two M/M/1 queues
   * is (12 - load) / 8 times that of one (Flatto and Hahn, 1984; Nelson and Tantawi, 1988).
   */
  @ParameterizedTest
  @ValueSource(doubles = {0.3, 0.7})
  void twoOfTwoReplicasAreAForkJoinQueue(double load) {
    ModelSpec model = Models.bare(2, 1, 2, Scatter.EXPONENTIAL, 1);
    SourceSpec both = new Asking(Models.reads(1), 2);
    double one = 1 / (1 - load);
    assertThat(play(model, both, Models.RANDOM, load, 600_000).all().meanNanos() / SERVICE_NANOS)
        .isCloseTo((12 - load) / 8 * one, Percentage.withPercentage(2));
  }

  @Test
  void eachReplicaThatIsAskedExecutesTheRead() {
    ModelSpec model = Models.cluster(List.of());
    SourceSpec one = Models.reads(5);
    for (int contacts = 1; contacts <= 3; contacts++) {
      Outcome outcome = play(model, new Asking(one, contacts), Models.LOW_EQUALMAX, 0.5, 10_000);
      assertThat(outcome.cost().reads()).isEqualTo(10_000L * 5 * contacts);
      assertThat(outcome.metrics().get("utilisation_pct")).isCloseTo(50, within(1.5));
      assertThat(outcome.all().errors()).isZero();
    }
    assertThat(play(model, new Asking(one, 4), Models.RANDOM, 0.5, 10_000).cost().reads())
        .as("there are three replicas")
        .isEqualTo(10_000L * 5 * 3);
  }

  /** Each takes one service time; in sequence they take two. */
  @Test
  void theNextOfPagedReadsLeavesWhenAllReplicasHaveAnswered() {
    ModelSpec model = Models.bare(2, 2, 2, Scatter.NONE, 0);
    SourceSpec source = new Asking(Models.reads(2), 2);
    String paged =
        "strategy: { fanout: { policy: fanout.speculative-retry, threshold: none, paged: true } }";
    assertThat(play(model, source, paged, 0.001, 2_000).all().meanNanos() / SERVICE_NANOS)
        .isCloseTo(2, within(0.01));
    assertThat(play(model, source, Models.RANDOM, 0.001, 2_000).all().meanNanos() / SERVICE_NANOS)
        .isCloseTo(1, within(0.01));
  }

  @Test
  void aDeadNodeFailsTheReadsThatAskedIt() {
    Fault dead = Fault.of(2, Trouble.DEAD, 2_000_000_000L, 2_500_000_000L, 1);
    ModelSpec model = Models.cluster(List.of(dead));
    long one = play(model, Models.mixed(), Models.LOW_EQUALMAX, 0.4, 10_000).all().errors();
    Outcome two = play(model, new Asking(Models.mixed(), 2), Models.LOW_EQUALMAX, 0.4, 10_000);
    assertThat(two.all().errors()).isGreaterThan(one).isLessThan(two.all().count() / 2);
  }

  /** A gate has no choice for them, so that credits choose when their request is planned. */
  @ParameterizedTest
  @EnumSource(
      value = Knowledge.class,
      names = {"EXACT", "STRATEGY"})
  void creditsChooseTheirReplicas(Knowledge knowledge) {
    Speeds one = new Speeds(List.of(0.1), 0, 1, 0);
    ModelSpec model =
        Models.with(
            Models.with(Models.cluster(List.of()), one), new Forecasts(knowledge, 0, 1, 0, 0));
    SourceSpec two = new Asking(Models.mixed(), 2);
    String credits =
        "strategy: { order: order.bottleneck, facts: [service-time], fanout: { policy:"
            + " fanout.brb-credits, prefer: least-work, node-cores: 2, clients: 3 } }";
    double low = p99(play(model, two, Models.LOW_EQUALMAX, 0.4, 10_000));
    assertThat(p99(play(model, two, credits, 0.4, 10_000))).isLessThan(2 * low);
  }

  private static double p99(Outcome outcome) {
    return outcome.all().nanos().getValueAtPercentile(99);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select: select.c3, order: order.sjf, facts: [pending-reads, service-time]",
        "select: select.dynamic-snitch",
        "select: select.low, fanout: { policy: fanout.hedged, rank: brb-equalmax }",
        "select: select.low, fanout: { policy: fanout.tied, stagger: 200us }",
        "select: select.low, fanout: { policy: fanout.tailx-hold }",
        "fanout: { policy: fanout.brb-credits, node-cores: 2, clients: 3 }",
        "bound: bound.ideal-equalmax",
      })
  void everyStrategyPlaysThem(String strategy) {
    Outcome outcome =
        play(
            Models.cluster(List.of()),
            new Asking(Models.mixed(), 2),
            "strategy: { " + strategy + " }",
            0.5,
            10_000);
    assertThat(outcome.all().errors()).isZero();
    assertThat(outcome.metrics().get("copies_pct")).as("as nodes: no copies of these").isNull();
  }
}
