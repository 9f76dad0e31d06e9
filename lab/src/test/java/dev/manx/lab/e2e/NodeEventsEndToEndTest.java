/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.cluster.ClusterExperiment;
import dev.manx.lab.kind.cluster.ClusterExperimentReader;
import dev.manx.lab.kind.cluster.ClusterKind;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.Node;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** In one turn of an experiment, a node is killed and starts again, and another one compacts. */
@OwnNodes
@Timeout(300)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full plays events that kill and restart a node")
class NodeEventsEndToEndTest {
  private static final Path FILE = ManxHome.find().root().resolve("examples/cassandra-faults.yaml");

  @TempDir Path folder;

  @Test
  void aTurnGoesOnWhileANodeRestartsAndAnotherCompacts() throws Exception {
    Path out = folder.resolve("out");
    ClusterSettings like = ClusterSettings.defaults();
    ClusterSettings settings =
        new ClusterSettings(
            2,
            1,
            2,
            like.heapBytes(),
            like.tokens(),
            like.readTimeoutNanos(),
            "c1",
            like.dataBytes(),
            new ClusterSettings.ServiceModel(2_000_000, 0),
            true,
            Patience.yaml(Map.of()),
            Sooner.startedAgain(List.of()));
    ManxHome home = ManxHome.find();
    try (LocalCluster cluster =
        LocalCluster.start(settings, home, home.root().resolve(".manx/work"), text -> {})) {
      long[] before = cluster.pids();
      ClusterKind.on(cluster, experiment()).run("", new SilentProgress(), out);
      assertThat(cluster.pids()[0]).isEqualTo(before[0]);
      assertThat(cluster.pids()[1]).isNotEqualTo(before[1]);
      assertThat(dataFiles(cluster.nodes().get(0))).as("after a flush and a compaction").hasSize(1);
    }

    assertThat(RowReader.read(out, MetricRow.FORMAT))
        .filteredOn(row -> row.metric().equals("mark"))
        .extracting(row -> row.params().replaceAll(".*label=", ""))
        .containsExactlyInAnyOrder("node1: compacts", "node2: killed and restarted");
    assertThat(RowReader.read(out, SummaryRow.FORMAT))
        .filteredOn(row -> row.key().requestClass().equals("all"))
        .isNotEmpty()
        .allMatch(row -> row.count() > row.errors() && row.wrong() == 0);
  }

  /** The turn waits for the node, which serves again after the window. */
  private static ClusterExperiment experiment() {
    return ClusterExperimentReader.read(
        ExperimentSource.of(
            FILE,
            new Choices(
                Map.of(
                    "cluster.nodes", "2",
                    "cluster.replication-factor", "2",
                    "workload.keys", "600",
                    "loads", "[40/s]",
                    "rounds", "1",
                    "settle", "0",
                    "warm-up", "200ms",
                    "window", "2s",
                    "events",
                        "[{ at: 300ms, for: 300ms, restart: { node: 2 } },"
                            + " { at: 300ms, for: 500ms, compaction: { node: 1 } }]"),
                List.of("manx"),
                false)));
  }

  private static List<Path> dataFiles(Node node) throws Exception {
    try (Stream<Path> files = Files.walk(node.folder())) {
      return files
          .filter(file -> file.getFileName().toString().endsWith("-Data.db"))
          .filter(file -> file.getParent().getFileName().toString().startsWith("kv-"))
          .toList();
    }
  }
}
