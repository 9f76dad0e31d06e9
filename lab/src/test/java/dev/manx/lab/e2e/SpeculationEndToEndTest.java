/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Speculative retry uses the time of reads, also if Manx reads them in parallel. */
@SharedNodes
@Isolated
class SpeculationEndToEndTest {
  private static final int KEYS = 60;
  private static final int REQUESTS = 40;

  private ThreeNodes nodes;

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void aMultigetsReadsCountEachWithItsOwnTime(ThreeNodes fixture) {
    nodes = fixture;
    Node coordinator = nodes.admin().nodes().get(0);
    CqlSession session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS s"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    // The median of reads that queue is far from that of the requests they are part of.
    session.execute(
        "CREATE TABLE IF NOT EXISTS s.t (k int PRIMARY KEY, v int)"
            + " WITH memtable = 'modelled' AND speculative_retry = '50p'");
    for (int k = 0; k < KEYS; k++) {
      nodes.write("INSERT INTO s.t (k, v) VALUES (?, ?)", k, k);
    }
    nodes.set(
        "document",
        "strategy: { select: select.low, order: order.bottleneck, fanout: fanout.brb-equalmax }");
    nodes.set("mode", "on");
    PreparedStatement multiget = session.prepare("SELECT k, v FROM s.t WHERE k IN ?");
    List<Integer> keys = IntStream.range(0, KEYS).boxed().toList();
    for (int i = 0; i < REQUESTS; i++) {
      assertThat(session.execute(multiget.bind(keys).setNode(coordinator)).all()).hasSize(KEYS);
    }
    long ofRequests = shown(coordinator, "threshold_of_requests_us");
    assertThat(shown(coordinator, "reads")).isEqualTo((long) REQUESTS * KEYS);
    // Cassandra computes it anew every few seconds.
    Waiting.until("the threshold is that of reads", () -> threshold(coordinator) < ofRequests);
    assertThat(nodes.table(0, "manx.hooks", "state")).containsEntry("table-timers", "installed");

    nodes.set("mode", "off");
    assertThat(nodes.admin().rows(coordinator, "SELECT * FROM manx.tables")).isEmpty();
    Map<String, Object> latency =
        nodes
            .admin()
            .rows(
                coordinator,
                "SELECT * FROM system_views.coordinator_read_latency"
                    + " WHERE keyspace_name = 's' AND table_name = 't'")
            .get(0);
    assertThat(latency).containsEntry("count", (long) REQUESTS * KEYS);
    assertThat((Double) latency.get("p50th_ms"))
        .as("what is left behind when Manx is off")
        .isLessThan(ofRequests / 1_000.0);
  }

  private long threshold(Node coordinator) {
    return shown(coordinator, "threshold_us");
  }

  private long shown(Node coordinator, String column) {
    return (Long)
        nodes
            .admin()
            .rows(coordinator, "SELECT * FROM manx.tables WHERE name = 's.t'")
            .get(0)
            .get(column);
  }
}
