/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.local.cluster.ClusterSettings;
import java.nio.ByteBuffer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A turn of an experiment does not retry by the latencies of the turn before. */
@SharedNodes
@Timeout(120)
class LatenciesOfArmsEndToEndTest {
  private static final long AT_START_US = ClusterSettings.defaults().readTimeoutNanos() / 2_000;
  private static final String USE =
      "UPDATE manx_lab.speculation SET latencies_of = ?"
          + " WHERE keyspace_name = 'forgotten' AND table_name = ?";

  @Test
  void aCoordinatorKeepsTheLatenciesOfEachArm(ThreeNodes nodes) {
    Node node = nodes.admin().nodes().get(0);
    nodes
        .admin()
        .execute(
            node,
            "CREATE KEYSPACE IF NOT EXISTS forgotten WITH replication ="
                + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    nodes
        .admin()
        .execute(
            node,
            "CREATE TABLE IF NOT EXISTS forgotten.t (k int PRIMARY KEY, v blob)"
                + " WITH memtable = 'modelled' AND speculative_retry = '99p'");
    nodes.write("INSERT INTO forgotten.t (k, v) VALUES (1, ?)", ByteBuffer.allocate(100));
    use(nodes, node, "slow");
    assertThat(row(nodes, node))
        .containsEntry("latencies", 0L)
        .containsEntry("threshold_us", AT_START_US);
    // So many that one that met a pause of the machine is not the 99th percentile.
    read(nodes, node, 200);

    use(nodes, node, "other");
    assertThat(row(nodes, node))
        .containsEntry("latencies", 0L)
        .containsEntry("threshold_us", AT_START_US);
    read(nodes, node, 10);

    use(nodes, node, "slow");
    Map<String, Object> row = row(nodes, node);
    assertThat(row).containsEntry("latencies", 200L).containsEntry("latencies_of", "slow");
    // The model takes 2 ms.
    assertThat((Long) row.get("threshold_us")).isBetween(1_500L, AT_START_US - 1);
    use(nodes, node, "slow");
    assertThat(row(nodes, node)).as("set again").isEqualTo(row);
    use(nodes, node, "other");
    assertThat(row(nodes, node)).containsEntry("latencies", 10L);

    assertThatThrownBy(() -> nodes.admin().execute(node, USE, "slow", "none"))
        .hasMessageContaining("forgotten.none does not exist");
  }

  private static void use(ThreeNodes nodes, Node node, String arm) {
    nodes.admin().execute(node, USE, arm, "t");
  }

  private static void read(ThreeNodes nodes, Node node, int times) {
    SimpleStatement one = SimpleStatement.newInstance("SELECT * FROM forgotten.t WHERE k = 1");
    for (int i = 0; i < times; i++) {
      assertThat(nodes.session().driver().execute(one.setNode(node))).hasSize(1);
    }
  }

  private static Map<String, Object> row(ThreeNodes nodes, Node node) {
    return nodes
        .admin()
        .rows(
            node,
            "SELECT latencies, latencies_of, threshold_us FROM manx_lab.speculation"
                + " WHERE keyspace_name = 'forgotten' AND table_name = 't'")
        .get(0);
  }
}
