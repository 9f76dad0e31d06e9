/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.BatchType;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import dev.manx.local.cluster.ClusterSettings;
import dev.manx.local.cluster.ClusterSettings.ServiceModel;
import dev.manx.local.cluster.LocalCluster;
import dev.manx.local.cluster.ManxHome;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Nodes with other versions of Cassandra and Java than in all other tests, with Manx's jar. */
@OwnNodes
@Timeout(300)
@EnabledIfEnvironmentVariable(
    named = "MANX_FULL",
    matches = "1",
    disabledReason = "./test --full fetches the other versions")
class CassandraVersionsEndToEndTest {
  private static final int KEYS = 100;
  private static final String LEAVING_HOME =
      """
      strategy:
        select: select.random
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 64KiB } }
        facts: [service-time, work-ahead]
      """;

  @TempDir Path folder;

  private Path config() throws Exception {
    return Files.writeString(folder.resolve("manx.yaml"), RollingEndToEndTest.MANX);
  }

  @ParameterizedTest
  @CsvSource({
    "4.0.17, 11, it needs Cassandra 5.0",
    "4.1.5, 11, it needs Cassandra 5.0",
    "4.1.10, 11, it needs Cassandra 5.0",
    "6.0-alpha2, 17, it needs Cassandra 5.0",
    "5.0.9, 11, it needs Java 17"
  })
  void aNodeThatManxIsNotMadeForBootsAndStaysStock(String version, int java, String why)
      throws Exception {
    try (OneNode node =
            OneNode.boot(
                ManxHome.find().on(OtherCassandra.of(version, java)),
                true,
                null,
                version.startsWith("4.0") ? OtherCassandra.YAML_4_0 : Map.of(),
                List.of("-Dmanx.config=" + config()));
        CqlSession session = OneNode.session(null, null)) {
      assertThat(release(session)).isEqualTo(version);
      answersCql(session);
      assertThat(session.execute("SELECT keyspace_name FROM system_virtual_schema.keyspaces").all())
          .extracting(row -> row.getString(0))
          .contains("system_views")
          .doesNotContain("manx");
      List<String> said =
          Files.readAllLines(node.cluster.nodes().get(0).systemLog(), StandardCharsets.ISO_8859_1)
              .stream()
              .filter(
                  line ->
                      line.contains("- Manx")
                          || !line.startsWith("INFO") && line.contains("dev.manx."))
              .toList();
      System.out.printf("%s on Java %d: %s%n", version, java, said);
      assertThat(said).hasSize(1);
      assertThat(said.get(0))
          .startsWith("WARN")
          .contains("Manx steps aside", why, "The node works as stock.");
      node.cluster.checkAlive();
    }
  }

  private static String release(CqlSession session) {
    return session.execute("SELECT release_version FROM system.local").one().getString(0);
  }

  /** Each way of Cassandra's query handler: simple, prepared, batch, and what it refuses. */
  private static void answersCql(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE v WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE v.t (k int PRIMARY KEY, v int)");
    PreparedStatement insert = session.prepare("INSERT INTO v.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    session.execute(
        BatchStatement.newInstance(
            BatchType.LOGGED,
            insert.bind(KEYS, CheckedLoad.value(KEYS)),
            SimpleStatement.newInstance("UPDATE v.t SET v = ? WHERE k = -1", 7)));
    List<Integer> keys = IntStream.rangeClosed(0, KEYS).boxed().toList();
    PreparedStatement multiget = session.prepare("SELECT k, v FROM v.t WHERE k IN ?");
    for (int page : new int[] {7, 5_000}) {
      List<Row> rows = session.execute(multiget.bind(keys).setPageSize(page)).all();
      assertThat(rows).hasSize(KEYS + 1);
      assertThat(rows).allMatch(row -> row.getInt("v") == CheckedLoad.value(row.getInt("k")));
    }
    assertThat(session.execute("SELECT v FROM v.t WHERE k = -1").one().getInt("v")).isEqualTo(7);
    assertThat(session.execute("INSERT INTO v.t (k, v) VALUES (1, 1) IF NOT EXISTS").wasApplied())
        .isFalse();
    assertThatThrownBy(() -> session.execute("SELECT x FROM v.t"))
        .isInstanceOf(InvalidQueryException.class);
  }

  /** The state of a cluster in the middle of a rolling upgrade from 4.1. */
  @Test
  void besideANodeOfAnEarlierVersionNodesWithManxOnGiveTheSameRows() throws Exception {
    ClusterSettings like = ClusterSettings.defaults();
    ClusterSettings settings =
        new ClusterSettings(
            3,
            1,
            2,
            like.heapBytes(),
            like.tokens(),
            like.readTimeoutNanos(),
            "c1",
            like.dataBytes(),
            null,
            true,
            Map.of(),
            List.of("-Dmanx.config=" + config()));
    ManxHome home = ManxHome.find();
    try (LocalCluster cluster =
            LocalCluster.start(
                settings,
                home.on(OtherCassandra.of("4.1.10", 11)),
                home.root().resolve(".manx/work"),
                text -> {});
        MixedNodes nodes = new MixedNodes(cluster)) {
      nodes.fillPlain();
      ManxHome own = home.on(OtherCassandra.of(OtherCassandra.OWN, 17));
      CheckedLoad load = nodes.load();
      try (load) {
        for (int upgraded = 0; upgraded < 2; upgraded++) {
          load.go(100);
          cluster.stop(upgraded);
          cluster.restart(upgraded, true, own);
          nodes.awaitOn(upgraded);
          nodes.awaitWhole();
        }
        // A peer counts as without Manx when it has answered for a second without a sign of it.
        Waiting.until(
            "nodes know that a peer is without Manx",
            () -> {
              load.go(20);
              return nodes.counter(0, "multigets_left_paged") > 0
                  && nodes.counter(1, "multigets_left_paged") > 0;
            });
        List<Long> unpaged =
            List.of(nodes.counter(0, "multigets_unpaged"), nodes.counter(1, "multigets_unpaged"));
        int restarts = load.errors().size();
        load.go(1_000);
        for (int node = 0; node < 2; node++) {
          assertThat(nodes.counter(node, "multigets_unpaged"))
              .as("beside a peer without Manx")
              .isEqualTo(unpaged.get(node));
        }
        // At random; otherwise, without waiting reads, each reads its own copy and sends no tag.
        for (int node = 0; node < 2; node++) {
          nodes.set(node, "document", LEAVING_HOME);
        }
        Waiting.until(
            "facts and tags are exchanged by the nodes that have Manx",
            () -> {
              load.go(20);
              return Stream.of("facts_received", "tags_received")
                  .allMatch(got -> nodes.counter(0, got) > 0 && nodes.counter(1, got) > 0);
            });
        assertThat(load.errors()).as("with versions side by side").hasSize(restarts);
      }
      System.out.printf("beside 4.1: %d answered, errors %s%n", load.answered(), load.errors());
      assertThat(load.wrong()).isEmpty();
      for (int node = 0; node < 2; node++) {
        for (String acted :
            List.of("requests_planned", "multigets_left_paged", "tags_sent", "tags_received")) {
          assertThat(nodes.counter(node, acted)).as(acted).isPositive();
        }
        assertThat(nodes.counter(node, "faults")).isZero();
        assertThat(nodes.strategy(node)).containsEntry("mode", "on");
      }
    }
  }

  @Test
  void allHooksActOnEarlierPatchReleasesAndAcrossARollingUpgrade() throws Exception {
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
            new ServiceModel(2_000_000, 0),
            true,
            Map.of(),
            List.of("-Dmanx.config=" + config()));
    ManxHome home = ManxHome.find();
    try (LocalCluster cluster =
        LocalCluster.start(
            settings,
            home.on(OtherCassandra.of("5.0.2", 17)),
            home.root().resolve(".manx/work"),
            text -> {})) {
      try (MixedNodes nodes = new MixedNodes(cluster)) {
        nodes.fill();
        nodes.allAct(List.of("5.0.2", "5.0.2"));
        cluster.stop(1);
        cluster.restart(1, true, home.on(OtherCassandra.of("5.0.5", 17)));
        nodes.allAct(List.of("5.0.2", "5.0.5"));
        cluster.stop(0);
        cluster.restart(0, true, home.on(OtherCassandra.of(OtherCassandra.OWN, 17)));
        nodes.allAct(List.of(OtherCassandra.OWN, "5.0.5"));
      }
    }
  }
}
