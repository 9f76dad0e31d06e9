/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.proc.Proc;
import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentRun;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.RunException;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.idle.IdleKind.At;
import dev.manx.lab.report.Report;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.IdleSpec;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A tiny run of real workers; its files are asserted, its timing is not. */
@Tag("engines")
class IdleKindTest {
  private static final Path EXAMPLE =
      ManxHome.find().root().resolve("examples/idle-strategies.yaml");

  @TempDir Path folder;

  private Experiment<IdleSpec, At> read(Path file, Choices choices) {
    return IdleKind.read(ExperimentSource.of(file, choices), folder.resolve("work"));
  }

  /** It failed after the turns of the first case. */
  @Test
  void moreCoresThanThereAreAreRefusedBeforeTheFirstTurn() {
    Map<String, String> many =
        Map.of("squeeze.cores", "1000", "cases", "[unrestricted, pinned]", "window", "300ms");
    Path out = folder.resolve("refused");
    assertThatThrownBy(
            () ->
                new ExperimentRun<>(
                        read(EXAMPLE, new Choices(many, List.of("park"), false)),
                        "rev",
                        new SilentProgress())
                    .run(out))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("squeeze.cores is 1000, but this program may run on ");
  }

  /** Only the first point was. */
  @Test
  void everyPointOfASweepIsCheckedAndDescribed() throws Exception {
    Map<String, String> few =
        Map.of("cases", "[pinned]", "sweep", "{ threads: [6], squeeze.nice: [5] }");
    try (Player<IdleSpec, At> player = open(few)) {
      assertThat(player.environment())
          .containsEntry("threads", "8")
          .containsEntry("threads, threads=6;squeeze.nice=5", "6");
      assertThat(player.environment().get("squeeze, threads=6;squeeze.nice=5")).contains("nice 5");
    }
    Map<String, String> many = Map.of("cases", "[pinned]", "sweep", "{ squeeze.cores: [1, 1000] }");
    assertThatThrownBy(() -> open(many))
        .isInstanceOf(RunException.class)
        .hasMessageContaining("squeeze.cores is 1000, but this program may run on ");
  }

  private Player<IdleSpec, At> open(Map<String, String> settings) throws Exception {
    return read(EXAMPLE, new Choices(settings, List.of(), false))
        .stage()
        .open(new SilentProgress());
  }

  /** No class is called {@code all} here: such a bound was never judged. */
  @Test
  void boundsNameACase() throws Exception {
    String text = Files.readString(EXAMPLE);
    String bound = "bounds: [{ arm: park, over: adaptive, p99: 2 }]\n";
    Path file = Files.writeString(folder.resolve("a.yaml"), text + bound);
    assertThatThrownBy(() -> read(file, Choices.none()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("bounds[0]")
        .hasMessageContaining("allowed: class: one of unrestricted, pinned");
    Path other =
        Files.writeString(
            folder.resolve("b.yaml"), text + bound.replace("p99: 2", "p99: 2, class: pinned"));
    assertThat(read(other, Choices.none()).head().bounds()).hasSize(1);
  }

  @Test
  void aTinyRunWritesEveryResultFile() throws Exception {
    boolean may = Proc.maySetPriorities();
    String cases = may ? "[unrestricted, pinned-nice]" : "[unrestricted, pinned]";
    Choices choices =
        new Choices(
            Map.of(
                "window", "300ms",
                "warm-up", "1s",
                "loads", "[1k/s]",
                "rounds", "2",
                "cases", cases),
            List.of("park", "adaptive"),
            false);
    Path out = folder.resolve("out");
    new ExperimentRun<>(read(EXAMPLE, choices), "rev", new SilentProgress()).run(out);

    List<SummaryRow> summary = RowReader.read(out, SummaryRow.FORMAT);
    // 2 arms x 2 cases x (2 rounds, the seed's pool, the pool of all)
    assertThat(summary).hasSize(2 * 2 * 4);
    assertThat(summary).allMatch(row -> row.count() > 0 && row.errors() == 0);
    for (String which : List.of("unrestricted", may ? "pinned-nice" : "pinned")) {
      long pooled = pooled(summary, "park", which).count();
      assertThat(Histograms.readLog(Histograms.logFile(out, "park", which)).getTotalCount())
          .isEqualTo(pooled);
      assertThat(pooled(summary, "adaptive", which).count())
          .as("the same operations for every arm")
          .isEqualTo(pooled);
    }
    List<MetricRow> metrics = RowReader.read(out, MetricRow.FORMAT);
    assertThat(metrics)
        .extracting(MetricRow::metric)
        .contains(
            "cpu_us_per_operation", "cpu_pct_foreign", "waits", "safepoints", "p999_boosted_us");
    List<MetricRow> marks = metrics.stream().filter(row -> row.metric().equals("mark")).toList();
    assertThat(marks).hasSize(may ? 2 * 2 : 0);
    assertThat(marks).allMatch(row -> row.params().matches("from=.*;to=.*;label=nice -20"));
    assertThat(RowReader.read(out, TimelineRow.FORMAT))
        .extracting(TimelineRow::metric)
        .contains("p99_ms", "max_ms");
    assertThat(Environment.read(out).settings()).containsKeys("operation", "arm park");
    assertThat(Files.readString(Report.of(out).write())).contains("adaptive");
  }

  private static SummaryRow pooled(List<SummaryRow> rows, String arm, String requestClass) {
    return rows.stream()
        .filter(row -> row.key().arm().equals(arm))
        .filter(row -> row.key().requestClass().equals(requestClass))
        .filter(row -> row.key().seed().equals("all"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void theExampleResolvesToItself() throws IOException {
    Experiment<IdleSpec, At> example = read(EXAMPLE, Choices.none());
    assertThat(example.points())
        .extracting(point -> point.settings().which())
        .containsExactly(SqueezeKind.UNRESTRICTED, SqueezeKind.PINNED, SqueezeKind.PINNED_NICE);
    assertThat(example.head().arms()).containsExactly("spin", "yield", "park", "adaptive");
    Path resolved = Files.writeString(folder.resolve("resolved.yaml"), example.text());
    assertThat(read(resolved, Choices.none()).text()).isEqualTo(example.text());
    Experiment<IdleSpec, At> quick = read(EXAMPLE, new Choices(Map.of(), List.of("yield"), true));
    assertThat(quick.head().quick()).isTrue();
    assertThat(quick.points()).allMatch(point -> point.rounds() == 1);
    assertThat(quick.head().baseline()).isEqualTo("yield");
    assertThat(quick.text()).contains("window: 1.5s");
    Choices longer = new Choices(Map.of("window", "2s"), List.of(), true);
    assertThat(read(EXAMPLE, longer).text()).contains("window: 2s");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "threads | 1 | from 2 to 1000",
        "cases | [pinned, squashed] | one of unrestricted, pinned, pinned-nice",
        "loads | [70%] | a rate",
        "loads | [900k/s, 10k/s] | operations in warm-up and window",
        "loads | [] | at least one rate",
        "loads | [1k/s, 1k/s] | each load once",
        "operation.hold | 40us | a duration from 0 to 30us",
        "squeeze.boost | 8 | from 1 to 7",
        "squeeze.nice | -21 | from -20 to 19",
        "arms.bad | { idle: idle.nap } | idle.adaptive",
        "arms.bad | { idle: idle.spin, spins: 3 } | unknown key",
        "treads | 8 | unknown key"
      })
  void refusesBadSettings(String key, String value, String allowed) {
    Choices choices = new Choices(Map.of(key, value, "window", "20s"), List.of(), false);
    assertThatThrownBy(() -> read(EXAMPLE, choices))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(allowed);
  }

  @Test
  void refusesAnArmThatIsNotThere() {
    assertThatThrownBy(() -> read(EXAMPLE, new Choices(Map.of(), List.of("naps"), false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("spin, yield, park, adaptive");
  }
}
