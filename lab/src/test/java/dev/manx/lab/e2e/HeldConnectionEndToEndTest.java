/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import dev.manx.lab.e2e.nasty.NastyPolicies;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/**
 * The remaining service of a node whose policy does not return on a thread of its connections. Java
 * cannot take that thread back: safety.md documents this.
 */
@OwnNodes
@Timeout(300)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full takes a node's connection away and restarts it")
class HeldConnectionEndToEndTest {
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(3);

  @Test
  void afterOffTheNodeServesItsOwnClientsAndAfterARestartOtherNodesToo() {
    Path root = ManxHome.find().root();
    ManxHome home =
        new ManxHome(root, List.of(NastyPolicies.jar(root.resolve(".manx/nasty-policies"))));
    ClusterSettings like = ClusterSettings.defaults();
    ClusterSettings settings =
        new ClusterSettings(
            2,
            1,
            2,
            like.heapBytes(),
            like.tokens(),
            READ_TIMEOUT.toNanos(),
            "c1",
            like.dataBytes(),
            new ClusterSettings.ServiceModel(2_000_000, 0),
            true,
            Map.of("dynamic_snitch", "false"),
            List.of());
    try (LocalCluster cluster =
            LocalCluster.start(settings, home, root.resolve(".manx/work"), text -> {});
        MixedNodes nodes = new MixedNodes(cluster)) {
      List<Integer> keys = keysOfTheSecond(nodes);
      nodes.set(1, "document", "strategy: { order: { policy: order.nasty, does: block-offer } }");
      nodes.set(1, "mode", "on");
      assertThat(read(nodes, 1, keys.get(0)).getInt("v")).isEqualTo(keys.get(0));
      List<CompletionStage<AsyncResultSet>> reads = new ArrayList<>();
      for (int key : keys) {
        reads.add(nodes.session().executeAsync(select(nodes, 0, key)));
      }
      Waiting.until("it is switched off", () -> nodes.strategy(1).get("mode").equals("off"));
      assertThat(nodes.strategy(1).get("trouble")).contains("did not return");
      reads.forEach(read -> read.toCompletableFuture().handle((rows, error) -> null).join());
      assertThat(read(nodes, 1, keys.get(0)).getInt("v")).isEqualTo(keys.get(0));
      assertThatThrownBy(() -> read(nodes, 0, keys.get(0))).isInstanceOf(DriverException.class);
      cluster.kill(1);
      cluster.restart(1, true);
      Waiting.until("the other node reaches it", () -> isRead(nodes, keys.get(0)));
    }
  }

  /** Rows whose only replica is on the second node. */
  private static List<Integer> keysOfTheSecond(MixedNodes nodes) {
    CqlSession session = nodes.session();
    session.execute(
        "CREATE KEYSPACE o WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE o.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    for (int k = 0; k < 300; k++) {
      session.execute("INSERT INTO o.t (k, v) VALUES (?, ?)", k, k);
    }
    var ring = session.getMetadata().getTokenMap().orElseThrow();
    var version = session.getContext().getProtocolVersion();
    return IntStream.range(0, 300)
        .filter(
            k -> ring.getReplicas("o", TypeCodecs.INT.encode(k, version)).contains(nodes.node(1)))
        .boxed()
        .toList();
  }

  private static SimpleStatement select(MixedNodes nodes, int coordinator, int key) {
    return SimpleStatement.newInstance("SELECT v FROM o.t WHERE k = ?", key)
        .setNode(nodes.node(coordinator));
  }

  private static Row read(MixedNodes nodes, int coordinator, int key) {
    return nodes.session().execute(select(nodes, coordinator, key)).one();
  }

  private static boolean isRead(MixedNodes nodes, int key) {
    try {
      return read(nodes, 0, key).getInt("v") == key;
    } catch (DriverException e) {
      return false;
    }
  }
}
