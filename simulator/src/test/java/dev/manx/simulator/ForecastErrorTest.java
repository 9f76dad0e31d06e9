/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Forecasts;
import dev.manx.simulator.ModelSpec.Knowledge;
import dev.manx.simulator.ModelSpec.Scatter;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.SourceSpec;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Errors of forecasts scatter around the truth; only a bias moves them all. */
class ForecastErrorTest {
  private static final int DRAWS = 400_000;

  /** Reads with recorded times, of which every other one takes ten times as long as forecast. */
  private static final SourceSpec RECORDED =
      new SourceSpec() {
        @Override
        public Source open(Streams streams, int nodes, long run) {
          int[] drawn = {0};
          return draw -> {
            draw.begin(Draw.ANY, true);
            long service =
                ++drawn[0] % 2 == 0 ? Models.SERVICE_NANOS / 5 : 2 * Models.SERVICE_NANOS;
            draw.add(drawn[0], new int[] {0}, 1_000, false, Models.SERVICE_NANOS / 5, service);
          };
        }

        @Override
        public double meanReads() {
          return 1;
        }

        @Override
        public double meanBytes() {
          return 1_000;
        }

        @Override
        public int largeFromBytes() {
          return 1_001;
        }
      };

  private static double meanNanos(Forecasts forecasts) {
    ModelSpec model = Models.with(Models.bare(1, 1, 1, Scatter.NONE, 0), forecasts);
    RunSpec run = Models.run(model, RECORDED, 0.7, 20_000, 1);
    String strategy = "strategy: { order: order.sjf }";
    Outcome outcome = new Simulation(model, RECORDED, strategy, run).run();
    assertThat(outcome.checks()).allMatch(Check::holds);
    return outcome.all().meanNanos();
  }

  /** The forecasts of recorded reads were the recorded ones in every case. */
  @Test
  @Timeout(60)
  void recordedReadsHaveTheForecastsOfTheModelToo() {
    double recorded = meanNanos(new Forecasts(Knowledge.MEAN, 0, 1, 0, 0));
    double exact = meanNanos(new Forecasts(Knowledge.EXACT, 0, 1, 0, 0));
    assertThat(exact).as("short reads first").isLessThan(0.95 * recorded);
    assertThat(meanNanos(new Forecasts(Knowledge.EXACT, 2, 1, 0, 0)))
        .as("wrong forecasts")
        .isBetween(1.01 * exact, recorded);
    assertThat(meanNanos(new Forecasts(Knowledge.MEAN, 1, 1, 0, 0)))
        .as("another order")
        .isNotEqualTo(recorded);
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "0.5, 1", "1, 1", "1, 1.65", "0, 0.25"})
  @Timeout(60)
  void meanForecastIsTheTruthTimesTheBias(double sigma, double bias) {
    ModelSpec even = Models.bare(1, 1, 1, Scatter.NONE, 0);
    ModelSpec model = Models.with(even, new Forecasts(Knowledge.EXACT, sigma, bias, 0, 0));
    ServiceTimes times = new ServiceTimes(model, new Streams(7));
    Draw draw = new Draw();
    draw.begin(Draw.ANY, true);
    draw.add(1, new int[] {0}, 1_000, false, Models.SERVICE_NANOS, Models.SERVICE_NANOS);
    Times drawn = new Times();
    double nanos = 0;
    double bytes = 0;
    for (int i = 0; i < DRAWS; i++) {
      times.draw(draw, 2_000, drawn);
      nanos += drawn.forecastNanos[0];
      bytes += drawn.forecastBytes[0];
    }
    // The standard error of the mean at sigma 1 is 0.2 %.
    assertThat(nanos / DRAWS).isCloseTo(Models.SERVICE_NANOS * bias, Percentage.withPercentage(1));
    assertThat(bytes / DRAWS).isCloseTo(1_000 * bias, Percentage.withPercentage(1));
  }

  /** Also where the cost of a read is its size. */
  @ParameterizedTest
  @ValueSource(strings = {"forecast", "bytes"})
  @Timeout(60)
  void errorsActOnEveryUnitOfCost(String cost) {
    String strategy =
        "strategy: { order: order.bottleneck, fanout: { policy: fanout.brb-equalmax, cost: "
            + cost
            + " }, oracles: { size: oracle.size-bloom } }";
    Forecasts[] all = {
      new Forecasts(Knowledge.EXACT, 0, 1, 0, 0),
      new Forecasts(Knowledge.EXACT, 2, 1, 0, 0),
      new Forecasts(Knowledge.EXACT, 0, 1, 0.3, 1_000_000)
    };
    double[] means = new double[all.length];
    for (int i = 0; i < all.length; i++) {
      ModelSpec model = Models.with(Models.cluster(List.of()), all[i]);
      RunSpec run = Models.run(model, Models.mixed(), 0.8, 8_000, 1);
      means[i] = new Simulation(model, Models.mixed(), strategy, run).run().all().meanNanos();
    }
    assertThat(means[1]).as("sigma").isGreaterThan(1.05 * means[0]);
    assertThat(means[2]).as("false-large").isGreaterThan(means[0]);
  }

  /** Coordinators of two arms plan in another order, since their answers come at other times. */
  @Test
  @Timeout(60)
  void armsOfASeedHaveEqualErrors() {
    ModelSpec model =
        Models.with(
            Models.with(Models.cluster(List.of()), new Forecasts(Knowledge.EXACT, 1, 1, 0, 0)),
            new ModelSpec.Cpu(0, 1, 200_000, 40_000, 40_000));
    assertThat(forecasts(model, "select: select.random"))
        .isNotEmpty()
        .isEqualTo(forecasts(model, "select: select.low, order: order.bottleneck"));
  }

  /** The sum of the forecasts of each request, by its number. */
  private static Map<Long, Long> forecasts(ModelSpec model, String strategy) {
    Map<Long, Long> sums = new TreeMap<>();
    RunSpec run = Models.run(model, Models.mixed(), 0.5, 3_000, 1);
    new Simulation(
            model,
            Models.mixed(),
            "strategy: { " + strategy + " }",
            run,
            new Checks(),
            (world, id, order) ->
                new Replica(world, id, order) {
                  @Override
                  void arrive(Read read) {
                    sums.merge(read.flight.sequence, read.forecastNanos, Long::sum);
                    super.arrive(read);
                  }
                })
        .run();
    return sums;
  }
}
