/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.servererrors.OverloadedException;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;

/** {@code nodetool drain} under load on a node with Manx on, which then starts again. */
@OwnNodes
@Timeout(300)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full drains a node and starts it again")
class DrainEndToEndTest {
  private static final int DRAINED = 1;

  @TempDir Path folder;

  @Test
  void aNodeDrainsAsUnderStockAndComesBack() throws Exception {
    Path config = Files.writeString(folder.resolve("manx.yaml"), RollingEndToEndTest.MANX);
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
            Map.of(),
            List.of("-Dmanx.config=" + config));
    ManxHome home = ManxHome.find();
    try (LocalCluster cluster =
            LocalCluster.start(settings, home, home.root().resolve(".manx/work"), text -> {});
        MixedNodes nodes = new MixedNodes(cluster)) {
      nodes.fill();
      nodes.awaitOn(0);
      nodes.awaitOn(DRAINED);
      CheckedLoad load = nodes.load();
      try (load) {
        load.go(300);
        assertThat(nodes.counter(DRAINED, "requests_planned")).isPositive();
        String state =
            OneNode.jmx(
                cluster.nodes().get(DRAINED),
                server -> {
                  ObjectName storage =
                      new ObjectName("org.apache.cassandra.db:type=StorageService");
                  server.invoke(storage, "drain", new Object[0], new String[0]);
                  return (String) server.getAttribute(storage, "OperationMode");
                });
        assertThat(state).isEqualTo("DRAINED");
        load.go(300);
        cluster.stop(DRAINED);
        Waiting.until(
            "nothing is outstanding at the node that left",
            () ->
                Integer.valueOf(0).equals(nodes.replica(0, "127.0.0.2").get("outstanding_reads")));
        cluster.restart(DRAINED, true);
        nodes.awaitOn(DRAINED);
        nodes.awaitWhole();
        load.go(300);
      }
      System.out.printf(
          "drained under load: %d answered, errors %s%n", load.answered(), load.errors());
      assertThat(load.wrong()).isEmpty();
      assertThat(load.errors())
          .allMatch(
              e ->
                  e instanceof OverloadedException
                      || e instanceof ClosedConnectionException
                      || e instanceof AllNodesFailedException);
      for (int node = 0; node < 2; node++) {
        assertThat(nodes.counter(node, "faults")).isZero();
        assertThat(
                Files.readAllLines(
                    cluster.nodes().get(node).systemLog(), StandardCharsets.ISO_8859_1))
            .noneMatch(line -> line.startsWith("ERROR") || line.contains("MANX IS OFF"));
      }
    }
  }
}
