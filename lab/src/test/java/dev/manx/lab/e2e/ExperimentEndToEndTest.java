/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.cluster.ClusterExperiment;
import dev.manx.lab.kind.cluster.ClusterExperimentReader;
import dev.manx.lab.kind.cluster.ClusterKind;
import dev.manx.lab.report.Report;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SharedNodes
class ExperimentEndToEndTest {
  private static final int ROUNDS = "1".equals(System.getenv("MANX_FULL")) ? 2 : 1;
  private static final Path DEMO = ManxHome.find().root().resolve("examples/demo.yaml");

  @TempDir Path folder;

  @Test
  void nodesServeWithThePluginOutOfThePath(ThreeNodes nodes) {
    for (int node = 0; node < 3; node++) {
      assertThat(nodes.table(node, "manx.strategy", "value")).containsEntry("mode", "off");
      assertThat(nodes.table(node, "manx.hooks", "state").values())
          .isNotEmpty()
          .containsOnly("stock");
    }
  }

  @Test
  void aTinyRunWritesEveryResultFile(ThreeNodes nodes) throws Exception {
    ClusterExperiment experiment =
        ClusterExperimentReader.read(
            ExperimentSource.of(
                DEMO,
                new Choices(
                    Map.of(
                        "workload.keys", "600",
                        "loads", "[40/s, 50/s]",
                        "seeds", "[1, 2]",
                        "rounds", Integer.toString(ROUNDS),
                        "settle", "200ms",
                        "warm-up", "200ms",
                        "window", "600ms",
                        "background", "{ scans: { rate: 20/s, rows: 20 }, writes: { rate: 20/s } }",
                        "saturation", "{ at-most: 20s, trials: 2, repeats: 2 }"),
                    List.of("stock", "manx"),
                    false)));
    Path out = folder.resolve("out");
    ClusterKind.on(nodes.cluster(), experiment).run("", new SilentProgress(), out);

    List<SummaryRow> summary = RowReader.read(out, SummaryRow.FORMAT);
    // 2 arms x 8 classes x 2 loads x (2 seeds x (rounds + pooled) + pooled)
    assertThat(summary).hasSize(2 * 8 * 2 * (2 * (ROUNDS + 1) + 1));
    assertThat(summary).allMatch(row -> row.wrong() == 0 && row.errors() == 0);
    for (String arm : List.of("stock", "manx")) {
      assertThat(only(summary, arm, "scan").count()).as(arm).isPositive();
      assertThat(only(summary, arm, "write").count()).as(arm).isPositive();
      SummaryRow all = only(summary, arm, "all");
      assertThat(all.count()).as(arm).isPositive();
      assertThat(all.p99LoUs()).isLessThanOrEqualTo(all.p99HiUs());
      long bySize = only(summary, arm, "small").count() + only(summary, arm, "large").count();
      assertThat(bySize).isEqualTo(all.count());
      assertThat(Histograms.readLog(Histograms.logFile(out, arm, "all")).getTotalCount())
          .isEqualTo(
              summary.stream()
                  .filter(row -> row.key().arm().equals(arm))
                  .filter(row -> row.key().requestClass().equals("all"))
                  .filter(row -> row.key().seed().equals("all"))
                  .mapToLong(SummaryRow::count)
                  .sum());
    }
    assertSameRequestsForAllArms(summary);

    List<MetricRow> metrics = RowReader.read(out, MetricRow.FORMAT);
    assertThat(metrics)
        .extracting(MetricRow::metric)
        .contains(
            "utilisation_pct",
            "utilisation_max_node_pct",
            "model_wanted_ms_per_read",
            "model_slept_ms_per_read",
            "cpu_pct_nodes",
            "cpu_pct_foreign",
            "schedule_lag_p99_us",
            "not_sent",
            "saturated",
            "manx_requests_planned",
            "manx_faults")
        .as("background work uses CPU too")
        .noneMatch(name -> name.startsWith("cpu_us_per_read"));
    assertThat(metrics)
        .filteredOn(row -> row.metric().equals("manx_faults"))
        .allMatch(row -> row.value() == 0);
    assertThat(metrics)
        .filteredOn(row -> row.metric().startsWith("manx_"))
        .noneMatch(row -> row.key().arm().equals("stock"));
    assertThat(metrics)
        .filteredOn(row -> row.metric().equals("manx_requests_planned"))
        .filteredOn(row -> row.key().arm().equals("manx"))
        .isNotEmpty()
        .allMatch(row -> row.value() > 0);

    // The goal is so lax that both trials of each search meet it: the first rate, then twice that
    // rate.
    assertThat(metrics)
        .filteredOn(row -> row.metric().equals("saturation_per_s"))
        .hasSize(2 * (2 + 1))
        .allMatch(row -> row.value() == 80 && row.params().equals("goal=p99;limit_ms=20000"));

    assertThat(RowReader.read(out, TimelineRow.FORMAT))
        .extracting(TimelineRow::metric)
        .contains("throughput_per_s", "outstanding", "utilisation_pct");
    assertThat(Environment.read(out).settings())
        .containsKeys("service model", "load 40/s", "load 50/s");
    assertThat(
            ClusterExperimentReader.read(
                ExperimentSource.of(out.resolve("experiment.yaml"), Choices.none())))
        .isEqualTo(experiment);
    assertThat(Files.size(Report.of(out).write())).isPositive();
    nodes.set("mode", "off");
    for (var node : nodes.cluster().nodes()) {
      assertThat(OneNode.snitch(node))
          .as("nodes without a dynamic snitch")
          .contains("SimpleSnitch");
    }
  }

  private static void assertSameRequestsForAllArms(List<SummaryRow> summary) {
    for (SummaryRow row : summary) {
      SummaryRow stock =
          summary.stream()
              .filter(other -> other.key().arm().equals("stock"))
              .filter(other -> sameBut(row, other))
              .findFirst()
              .orElseThrow();
      assertThat(row.count()).as("%s", row.key()).isEqualTo(stock.count());
    }
  }

  private static boolean sameBut(SummaryRow row, SummaryRow other) {
    return row.key().requestClass().equals(other.key().requestClass())
        && row.key().load().equals(other.key().load())
        && row.key().seed().equals(other.key().seed())
        && row.key().round().equals(other.key().round());
  }

  private static SummaryRow only(List<SummaryRow> rows, String arm, String requestClass) {
    return rows.stream()
        .filter(row -> row.key().arm().equals(arm))
        .filter(row -> row.key().requestClass().equals(requestClass))
        .filter(row -> row.key().load().equals("40/s"))
        .filter(row -> row.key().seed().equals("all") && row.key().round().equals("all"))
        .findFirst()
        .orElseThrow();
  }
}
