/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.cluster.ClusterExperiment;
import dev.manx.lab.kind.cluster.ClusterExperimentReader;
import dev.manx.lab.kind.cluster.ClusterKind;
import dev.manx.local.cgroup.ControlGroupException;
import dev.manx.local.cgroup.Controller;
import dev.manx.local.cgroup.ProcessGroup;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Nodes whose page cache and disk are limited, behind a node that holds no data. */
@OwnNodes
@Isolated
@Timeout(300)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full boots nodes of its own for real storage")
class LocalityEndToEndTest {
  private static final Path EXAMPLE =
      ManxHome.find().root().resolve("examples/cassandra-locality.yaml");

  @TempDir Path folder;

  @Test
  void readsComeFromALimitedDiskByWayOfTheNodeWithoutData() throws Exception {
    assumeTrue(permitted(), "may not make control groups here");
    ClusterExperiment experiment =
        ClusterExperimentReader.read(
            ExperimentSource.of(
                EXAMPLE,
                new Choices(
                    Map.of(
                        "quick", "true",
                        "cluster.nodes", "3",
                        "cluster.replication-factor", "2",
                        "storage", "{ page-cache: 8MiB, reads-per-second: 200 }",
                        "workload.keys", "40000",
                        "loads", "[8 clients]",
                        "rounds", "1",
                        "settle", "500ms",
                        "warm-up", "1s",
                        "window", "3s"),
                    List.of("stock", "primary", "random"),
                    false)));
    Path out = folder.resolve("out");
    ClusterKind.booted(experiment, ManxHome.find(), folder.resolve("work"))
        .run("", new SilentProgress(), out);

    assertThat(RowReader.read(out, SummaryRow.FORMAT))
        .isNotEmpty()
        .allMatch(row -> row.wrong() == 0 && row.errors() == 0 && row.count() > 0);
    List<MetricRow> metrics = RowReader.read(out, MetricRow.FORMAT);
    // Bursts at the edge of the window and read-ahead exceed the limit a little; 40 MB per node
    // from an unlimited disk would exceed it by far.
    assertThat(metrics)
        .filteredOn(row -> row.metric().equals("disk_used_max_node_pct"))
        .isNotEmpty()
        .allMatch(row -> row.value() > 10 && row.value() < 200);
    assertThat(metrics)
        .filteredOn(row -> row.metric().equals("disk_bytes_per_read"))
        .isNotEmpty()
        .allMatch(row -> row.value() > 0);
    assertThat(metrics)
        .filteredOn(row -> row.metric().equals("manx_faults"))
        .isNotEmpty()
        .allMatch(row -> row.value() == 0);
  }

  private static boolean permitted() throws Exception {
    Process any = new ProcessBuilder("sleep", "10").start();
    try {
      ProcessGroup group = ProcessGroup.of(any.pid(), EnumSet.allOf(Controller.class));
      any.destroyForcibly().waitFor();
      group.close();
      return true;
    } catch (ControlGroupException e) {
      return false;
    } finally {
      any.destroyForcibly();
    }
  }
}
