/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import dev.manx.local.cluster.ClusterSettings.ServiceModel;
import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.NodeRuntime;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Nodes of which one class has another shape than Manx knows, as a later release may bring it. With
 * {@code MANX_FULL} every class that a test can alter without breaking Cassandra itself.
 */
@OwnNodes
@Timeout(200)
class AlteredCassandraEndToEndTest {
  private static final int KEYS = 100;
  private static final String FIELD = "field";
  private static final String METHOD = "method";

  @TempDir Path folder;

  static Stream<List<String>> alterations() {
    return Stream.of(
            List.of(
                "read-stage",
                FIELD,
                "org.apache.cassandra.net.InboundMessageHandler$ProcessSmallMessage",
                "message"),
            List.of(
                "read-stage", METHOD, "org.apache.cassandra.concurrent.Stage", "unsafeSetExecutor"),
            List.of(
                "snitch",
                METHOD,
                "org.apache.cassandra.config.DatabaseDescriptor",
                "setEndpointSnitch"),
            List.of("outbound", METHOD, "org.apache.cassandra.net.OutboundSink", "add"),
            List.of("inbound", METHOD, "org.apache.cassandra.net.InboundSink", "add"))
        .limit(OtherCassandra.FULL ? Long.MAX_VALUE : 1);
  }

  @ParameterizedTest
  @MethodSource("alterations")
  void theOneHookThatDoesNotFitStaysStockLoudlyAndTheOthersAct(List<String> altered)
      throws Exception {
    String hook = altered.get(0);
    String type = altered.get(2);
    String member = altered.get(3);
    NodeRuntime runtime =
        altered.get(1).equals(FIELD)
            ? OtherCassandra.renamed(folder, type, member)
            : OtherCassandra.without(folder, type, member);
    Path config = Files.writeString(folder.resolve("manx.yaml"), RollingEndToEndTest.MANX);
    try (OneNode node =
            OneNode.boot(
                ManxHome.find().on(runtime),
                true,
                new ServiceModel(2_000_000, 0),
                Map.of(),
                List.of("-Dmanx.config=" + config));
        CqlSession session = OneNode.session(null, null)) {
      Waiting.until("Manx is on", () -> isOn(session));
      Map<String, String> expected = new TreeMap<>(OneNode.table(session, "hooks"));
      expected.replaceAll((name, state) -> name.equals(hook) ? "failed" : "installed");
      if (hook.equals("inbound")) {
        // It would open tickets that are never closed.
        expected.put("outbound", "stock");
      }
      if (!expected.get("outbound").equals("installed")) {
        // All other nodes would look idle.
        expected.put("snitch", "stock");
        // Without its messages no read is followed, and none is held.
        expected.put("copies", "stock");
        expected.put("holds", "stock");
      }
      assertThat(OneNode.table(session, "hooks")).isEqualTo(expected);
      assertThat(
              session
                  .execute("SELECT detail FROM manx.hooks WHERE name = ?", hook)
                  .one()
                  .getString("detail"))
          .contains(type + "." + member);
      assertThat(Files.readAllLines(node.cluster.nodes().get(0).systemLog()))
          .filteredOn(line -> line.contains("Manx: hook "))
          .hasSize(1)
          .allMatch(
              line ->
                  line.startsWith("WARN")
                      && line.contains("hook " + hook + " stays stock")
                      && line.contains(type + "." + member));
      load(session);
      Map<String, String> counters = OneNode.table(session, "counters");
      assertThat(counters).containsEntry("faults", "0");
      assertThat(Long.parseLong(counters.get("requests_planned"))).isPositive();
      assertThat(Long.parseLong(counters.get("multigets_unpaged"))).isPositive();
      assertThat(Long.parseLong(counters.get("order_queued")))
          .satisfies(
              queued ->
                  assertThat(queued > 0).as("order_queued").isEqualTo(!hook.equals("read-stage")));
      OneNode.set(session, "mode", "off");
      assertThat(OneNode.table(session, "hooks").values()).containsOnly("stock");
      OneNode.set(session, "mode", "on");
      assertThat(OneNode.table(session, "hooks")).isEqualTo(expected);
      node.cluster.checkAlive();
    }
  }

  private static boolean isOn(CqlSession session) {
    try {
      Map<String, String> strategy = OneNode.table(session, "strategy");
      // The mode shows first, then the hooks enter the path, and then the switch is counted.
      return strategy.get("mode").equals("on") && !strategy.get("switches").equals("0");
    } catch (InvalidQueryException e) {
      // The node serves CQL a moment before Manx begins.
      return false;
    }
  }

  private static void load(CqlSession session) {
    session.execute(
        "CREATE KEYSPACE a WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE a.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    PreparedStatement insert = session.prepare("INSERT INTO a.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    CheckedLoad load =
        new CheckedLoad(session, session.prepare("SELECT k, v FROM a.t WHERE k IN ?"), KEYS);
    try (load) {
      load.go(200);
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
  }
}
