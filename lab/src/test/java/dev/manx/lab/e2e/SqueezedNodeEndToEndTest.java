/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.kind.cluster.ClusterExperiment;
import dev.manx.lab.kind.cluster.ClusterExperimentReader;
import dev.manx.lab.kind.cluster.ClusterKind;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowReader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** A node is squeezed in every turn of a real cluster, and is then as it was. */
@SharedNodes
@Isolated
class SqueezedNodeEndToEndTest {
  private static final Path EXAMPLE = ManxHome.find().root().resolve("examples/squeezed-node.yaml");

  @TempDir Path folder;

  @Test
  void everyTurnIsMarkedAndNothingStaysSqueezed(ThreeNodes nodes) throws Exception {
    assumeTrue(Proc.maySetPriorities(), "needs root or CAP_SYS_NICE");
    ProcThread before = Proc.process(nodes.cluster().pids()[1]).orElseThrow();
    ClusterExperiment experiment =
        ClusterExperimentReader.read(
            ExperimentSource.of(
                EXAMPLE,
                new Choices(
                    Map.of(
                        "workload.keys", "600",
                        "loads", "[40/s]",
                        "rounds", "1",
                        "settle", "0",
                        "warm-up", "100ms",
                        "window", "900ms",
                        "events",
                            "[{ at: 200ms, for: 300ms, squeeze: { node: 2, cores: 1, boost: 3 } }]"),
                    List.of(),
                    false)));
    Path out = folder.resolve("out");
    ClusterKind.on(nodes.cluster(), experiment).run("", new SilentProgress(), out);

    List<MetricRow> marks =
        RowReader.read(out, MetricRow.FORMAT).stream()
            .filter(row -> row.metric().equals("mark"))
            .toList();
    assertThat(marks).extracting(row -> row.key().arm()).containsExactlyInAnyOrder("stock", "manx");
    assertThat(marks)
        .allMatch(row -> row.params().matches("from=.*;to=.*;label=node2: 1 core, nice -20 .*"));
    List<ProcThread> after = Proc.threads(nodes.cluster().pids()[1]);
    assertThat(after).allMatch(thread -> thread.cpus().equals(before.cpus()));
    assertThat(after).noneMatch(thread -> thread.nice() == -20);
    nodes.set("mode", "off");
  }
}
