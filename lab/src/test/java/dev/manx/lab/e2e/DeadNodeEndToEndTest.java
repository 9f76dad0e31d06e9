/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Progress;
import dev.manx.lab.kind.cluster.ClusterExperiment;
import dev.manx.lab.kind.cluster.ClusterExperimentReader;
import dev.manx.lab.kind.cluster.ClusterKind;
import dev.manx.local.cluster.ClusterException;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that dies during an experiment is named, with the reason and the end of its log. */
@OwnNodes
@Timeout(300)
class DeadNodeEndToEndTest {
  private static final ManxHome HOME = ManxHome.find();

  @TempDir private Path folder;

  /** Kills a process when a turn is under way. */
  private record Killer(long pid) implements Progress {
    @Override
    public void step(String text) {}

    @Override
    public void now(String text) {
      if (text.contains("under way")) {
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
  }

  @Test
  void aNodeKilledInAWindowIsTheFailure() {
    ClusterExperiment experiment =
        ClusterExperimentReader.read(
            ExperimentSource.of(
                HOME.root().resolve("examples/demo.yaml"),
                new Choices(
                    Map.of(
                        "cluster.nodes", "1",
                        "cluster.replication-factor", "1",
                        "workload.keys", "300",
                        "loads", "[20/s]",
                        "rounds", "1",
                        "settle", "0",
                        "warm-up", "200ms",
                        "window", "1s"),
                    List.of("stock"),
                    false)));
    try (LocalCluster cluster =
        LocalCluster.start(experiment.cluster(), HOME, folder.resolve("work"), step -> {})) {
      Killer killer = new Killer(cluster.pids()[0]);
      Path out = folder.resolve("out");
      assertThatThrownBy(() -> ClusterKind.on(cluster, experiment).run("", killer, out))
          .isInstanceOf(ClusterException.class)
          .hasMessageContaining("node1 has ended with code 137 (killed, for example by the kernel")
          .hasMessageContaining("system.log:");
    }
  }
}
