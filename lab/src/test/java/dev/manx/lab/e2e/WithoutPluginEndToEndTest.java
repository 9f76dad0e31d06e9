/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.kind.cluster.ClusterExperiment;
import dev.manx.lab.kind.cluster.ClusterExperimentReader;
import dev.manx.lab.kind.cluster.ClusterKind;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** An arm on nodes without Manx, next to one on nodes with the plugin. */
@OwnNodes
@Timeout(240)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full boots nodes of its own without the plugin")
class WithoutPluginEndToEndTest {
  private static final Path FILE = ManxHome.find().root().resolve("examples/in-memory.yaml");

  @TempDir Path folder;

  @Test
  void bothClustersAnswerTheSameRequests() throws Exception {
    ClusterExperiment experiment =
        ClusterExperimentReader.read(
            ExperimentSource.of(
                FILE,
                new Choices(
                    Map.of(
                        "cluster.nodes", "1",
                        "cluster.replication-factor", "1",
                        "workload.keys", "600",
                        "background", "{ index-reads: { rate: 20/s, rows: 10 } }",
                        "loads", "[50/s]",
                        "rounds", "1",
                        "settle", "500ms",
                        "warm-up", "200ms",
                        "window", "600ms"),
                    List.of("no-plugin", "manx"),
                    true)));
    List<String> steps = new ArrayList<>();
    Progress progress =
        new Progress() {
          @Override
          public void step(String text) {
            steps.add(text);
          }

          @Override
          public void now(String text) {}
        };
    ClusterKind.booted(experiment, ManxHome.find(), folder.resolve("work"))
        .run("", progress, folder.resolve("out"));

    assertThat(steps).anySatisfy(step -> assertThat(step).startsWith("2 nodes up, 600 keys"));
    List<SummaryRow> rows =
        RowReader.read(folder.resolve("out"), SummaryRow.FORMAT).stream()
            .filter(row -> row.key().round().equals("1"))
            .toList();
    for (String requestClass : List.of("all", "index")) {
      assertThat(rows)
          .filteredOn(row -> row.key().requestClass().equals(requestClass))
          .hasSize(2)
          .allMatch(row -> row.errors() == 0 && row.wrong() == 0)
          .extracting(SummaryRow::count)
          .doesNotContain(0L);
    }
    assertThat(
            rows.stream()
                .filter(row -> row.key().requestClass().equals("all"))
                .map(SummaryRow::count)
                .distinct())
        .hasSize(1);
  }
}
