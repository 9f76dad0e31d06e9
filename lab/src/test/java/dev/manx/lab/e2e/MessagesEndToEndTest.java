/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.manx.local.cluster.LocalCluster;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/** Manx's own messages between two nodes with the plugin and one without. No table is read. */
@OwnNodes
@Timeout(400)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MessagesEndToEndTest {
  private static final int STOCK = 2;
  private static final String MANX =
      "plugin: { mode: on, calm-after: 0s, learn-from-writes: false }\nstrategy: manx\n";

  private static final int KEYS = 60;
  private static final int GREETINGS = 20;
  private static final String EXCHANGING =
      """
      strategy:
        select: { policy: select.low }
        fanout: { policy: fanout.brb-equalmax }
        oracles: { size: { policy: oracle.size-bloom, large-above: 8KiB, memory: 4KiB } }
        exchange: { interval: 200ms, peers: 3 }
        facts: [service-time, work-ahead]
      """;

  private static LocalCluster cluster;
  private static MixedNodes nodes;

  @BeforeAll
  static void boot() throws Exception {
    cluster = MixedNodes.boot("messages", MANX, 2_000_000, true);
    nodes = new MixedNodes(cluster);
  }

  @AfterAll
  static void stop() {
    if (nodes != null) {
      nodes.close();
    }
    if (cluster != null) {
      cluster.close();
    }
  }

  private static boolean knows(int node, int other) {
    Map<String, Object> row = nodes.replica(node, "127.0.0." + (other + 1));
    return row != null && Boolean.TRUE.equals(row.get("with_manx"));
  }

  private static void awaitMore(int node, String counter) {
    long before = nodes.counter(node, counter);
    Waiting.until("more " + counter, () -> nodes.counter(node, counter) > before);
  }

  @Test
  @Order(1)
  void nodesFindEachOtherWithoutAnyRead() {
    for (int i = 0; i < 3; i++) {
      int node = i;
      nodes.awaitOn(node);
      for (int j = 0; j < 3; j++) {
        int other = j;
        if (other != node) {
          Waiting.until("it knows the other", () -> knows(node, other));
        }
      }
      assertThat(nodes.counter(node, "messages_received")).isPositive();
      assertThat(nodes.counter(node, "messages_ignored")).isZero();
      assertThat(nodes.counter(node, "faults")).isZero();
    }
  }

  @Test
  @Order(2)
  void coordinatorsShareTheirKnowledge() {
    for (int node = 0; node < 3; node++) {
      nodes.set(node, "document", EXCHANGING);
    }
    CqlSession session = nodes.session();
    // One replica, so that no other node has the values or reads them.
    session.execute(
        "CREATE KEYSPACE x WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}");
    session.execute("CREATE TABLE x.t (k int PRIMARY KEY, v blob)");
    for (int k = 0; k < KEYS; k++) {
      session.execute(
          SimpleStatement.newInstance(
              "INSERT INTO x.t (k, v) VALUES (?, ?)", k, ByteBuffer.allocate(32 << 10)));
    }
    for (int k = 0; k < KEYS; k++) {
      session.execute(
          SimpleStatement.newInstance("SELECT v FROM x.t WHERE k = ?", k).setNode(nodes.node(0)));
    }
    for (int i = 0; i < 3; i++) {
      int node = i;
      Waiting.until("its oracle is as full as the first one's", () -> isFull(node));
      awaitMore(node, "exchanges_received");
      awaitMore(node, "exchanges_sent");
      assertThat(nodes.counter(node, "faults")).isZero();
    }
  }

  private static boolean isFull(int node) {
    return Double.parseDouble(nodes.strategy(node).get("oracle.size.fill-ratio")) > 0
        && nodes
            .strategy(node)
            .get("oracle.size.fill-ratio")
            .equals(nodes.strategy(0).get("oracle.size.fill-ratio"));
  }

  @Test
  @Order(3)
  void aNodeWithoutManxIgnoresThem() throws Exception {
    cluster.kill(STOCK);
    cluster.restart(STOCK, false);
    for (int i = 0; i < STOCK; i++) {
      int node = i;
      Waiting.until("it has forgotten the other's sign", () -> !knows(node, STOCK));
      assertThat(nodes.counter(node, "faults")).isZero();
    }
    // A message that waited for the node to boot, or met a pause of the machine, may arrive too
    // late, as any message may.
    Waiting.until("of twenty greetings in turn none counts as dropped", this::noneIsDropped);
    assertThat(callbacksTimedOut(STOCK)).isZero();
    assertThat(readsRepaired(STOCK)).isZero();
    assertThat(complaints(STOCK)).isEmpty();
  }

  private boolean noneIsDropped() {
    long before = dropped(STOCK);
    for (int i = 0; i < GREETINGS; i++) {
      // Greetings, for the other node with Manx is known by now.
      awaitMore(i % STOCK, "messages_sent");
    }
    return dropped(STOCK) == before;
  }

  @Test
  @Order(4)
  void aNodeThatIsOffSendsNone() {
    nodes.set(0, "mode", "off");
    // One that was being sent may still be counted.
    awaitMore(1, "messages_sent");
    long sent = nodes.counter(0, "messages_sent");
    for (int i = 0; i < 3; i++) {
      // It continues, with one message per second.
      awaitMore(1, "messages_sent");
    }
    assertThat(nodes.counter(0, "messages_sent")).isEqualTo(sent);
    assertThat(complaints(0)).isEmpty();
  }

  private static long dropped(int node) {
    return count(node, "type=DroppedMessage,scope=READ_REPAIR_RSP,name=Dropped");
  }

  private static long callbacksTimedOut(int node) {
    return count(node, "type=Connection,name=TotalTimeouts");
  }

  private static long readsRepaired(int node) {
    return count(node, "type=ReadRepair,name=RepairedBlocking");
  }

  private static long count(int node, String metric) {
    try {
      ObjectName name = new ObjectName("org.apache.cassandra.metrics:" + metric);
      return OneNode.<Long>jmx(
          cluster.nodes().get(node),
          server -> ((Number) server.getAttribute(name, "Count")).longValue());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lines of a node's log on the transport of the messages or on errors of Manx. */
  private static List<String> complaints(int node) {
    try {
      return Files.readAllLines(cluster.nodes().get(node).systemLog(), StandardCharsets.ISO_8859_1)
          .stream()
          // Messages in flight to a killed node, and those that come late, are dropped like any
          // message. Those to the node without Manx are counted.
          .filter(line -> !line.contains("expired before reaching the network"))
          .filter(line -> !line.contains(" messages were dropped in last "))
          .filter(
              line ->
                  line.contains("READ_REPAIR")
                      || line.contains("unexpected exception")
                      || line.contains("Manx failed"))
          .toList();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
