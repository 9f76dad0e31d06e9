/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.report.TerminalSummary;
import dev.manx.lab.run.Progress;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulatedExperimentTest {
  private static final String SMALL =
      """
      experiment: small
      on: simulator
      baseline: random
      model:
        nodes: 3
        cores: 2
        coordinators: 2
        service: { per-core: 1000/s, constant: 50% }
        forecast: { from: exact }
      workload:
        kind: synthetic
        requests: { kind: bounded-pareto, single: 60%, mean: 4, max: 50 }
        values: { scale: 214.476, shape: 0.348238, max: 1MB }
      classes: [single, wide]
      loads: [30%, 60%]
      seeds: [1, 2]
      requests: 2000
      timeline: 100ms
      sweep: { model.network.one-way: [10us, 1ms] }
      arms:
        random: { strategy: { select: select.random } }
        low: { strategy: { select: select.low, order: order.bottleneck, fanout: fanout.brb-equalmax } }
      published:
        - { claim: x, arm: low, over: random, load: 60%, at: P99, published: 1000, expect: at most }
        - { claim: y, arm: low, load: 60%, at: P99, published: 1ns, expect: within 5% }
      """;

  private static final Progress SILENT =
      new Progress() {
        @Override
        public void step(String text) {}

        @Override
        public void now(String text) {}
      };

  @TempDir private Path folder;

  private Path run(String name, String text) throws IOException, InterruptedException {
    Path file = Files.writeString(folder.resolve(name + ".yaml"), text);
    Path out = folder.resolve(name);
    SimulationRunner.read(file, Choices.none(), "", SILENT).run(out);
    return out;
  }

  private static List<String> names(Path out) throws IOException {
    try (Stream<Path> files = Files.list(out)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }

  @Test
  void twoRunsWriteTheSameFilesBitForBit() throws Exception {
    Path one = run("one", SMALL);
    Path two = run("two", SMALL);
    assertThat(names(two)).isEqualTo(names(one)).contains("summary.csv", "low-all.hlog");
    for (String name : names(one)) {
      if (!name.equals("environment.json")) {
        assertThat(two.resolve(name)).hasSameBinaryContentAs(one.resolve(name));
      }
    }
  }

  @Test
  void resolvedFileSaysWhatWasPlayed() throws Exception {
    Path one = run("one", SMALL);
    Path again = run("again", Files.readString(one.resolve("experiment.yaml")));
    for (String name : names(one)) {
      if (!name.equals("environment.json")) {
        assertThat(again.resolve(name)).hasSameBinaryContentAs(one.resolve(name));
      }
    }
  }

  @Test
  void sweepStandsInTheMetrics() throws Exception {
    List<MetricRow> rows = RowReader.read(run("one", SMALL), MetricRow.FORMAT);
    for (String delay : List.of("10us", "1ms")) {
      assertThat(rows)
          .anyMatch(
              row ->
                  row.params().equals("model.network.one-way=" + delay)
                      && row.metric().equals("latency_p99_us"));
    }
  }

  @Test
  void publishedNumbersStandBesideOurs() throws Exception {
    assertThat(TerminalSummary.of(run("one", SMALL)))
        .containsPattern("x .*low / random, P99 at 60% .*at most 1000 .*holds")
        .containsPattern("y .*low, P99 at 60% .*DOES NOT HOLD");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "model.nodes | 0 | a whole number from 1",
        "model.service.per-core | 5ms | a rate",
        "model.colour | red | no such key",
        "workload.requests.mean | 0.5 | a number from 1",
        "workload.requests.mean | 1.2 | another mean",
        "loads | [5ms] | a share of the modelled capacity",
        "arms.low.strategy.select | select.nope | one of",
      })
  void refusesWhatItCannotPlay(String key, String value, String words) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), SMALL);
    Choices choices = new Choices(Map.of(key, value), List.of(), false);
    assertThatThrownBy(() -> SimulationRunner.read(file, choices, "", SILENT))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(words);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "brb",
        "tailx",
        "tailx-regime",
        "c3",
        "hector-locality",
        "catalogue",
        "scale",
        "scaling",
        "cold-start",
        "manx"
      })
  void examplesAreAccepted(String name) {
    Path file = Path.of(System.getProperty("manx.home"), "examples", name + ".yaml");
    assertThat(SimulationReader.read(file, Choices.none()).arms()).isNotEmpty();
  }
}
