/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;

/** The plugin on real nodes: its answers, its counters, and every way to switch it. */
@SharedNodes
class PluginEndToEndTest extends OnSizedTables {
  private static final String LOR = "strategy: { select: select.lor, facts: [pending-reads] }";
  private static final String MANX =
      """
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 32KiB } }
        facts: [pending-reads, service-time, work-ahead]
      """;

  @Test
  void answersAreRightAndEveryTicketIsClosed() {
    nodes.set("document", MANX);
    nodes.set("mode", "on");
    List<Map<String, Long>> before = IntStream.range(0, 3).mapToObj(this::counters).toList();
    List<String> keys =
        IntStream.range(0, 120).mapToObj(i -> (i % 20 == 0 ? 65_536 : 1024) + "_" + i).toList();
    keys.forEach(key -> write("rf3", key));
    for (int i = 0; i < 120; i++) {
      List<String> some = keys.subList(i % 60, i % 60 + 1 + i % 37);
      assertThat(read(i % 3, "rf3", some, -1)).containsExactlyInAnyOrderElementsOf(some);
    }
    for (int node = 0; node < 3; node++) {
      int asked = node;
      Waiting.until("all tickets of node " + node + " closed", () -> openTickets(asked) == 0);
      Tickets.awaitBalance(() -> counters(asked));
      Map<String, Long> counted = counters(node);
      // Other tests use these nodes, too, and some of them make policies fail.
      Map<String, Long> here = since(before.get(node), counted);
      assertThat(here.get("faults")).isZero();
      assertThat(here.get("tags_received")).isPositive();
      assertThat(here.get("facts_received")).isPositive();
      assertThat(here.get("sizes_learned_from_writes")).isPositive();
    }
  }

  @Test
  void ticketsOfANodeThatStallsAreClosedWhenTheyExpire() throws Exception {
    nodes.set("document", "strategy: { select: select.random }");
    nodes.set("mode", "on");
    List<String> keys = keysWithPrimary("rf3", 2, 1024, 6);
    keys.forEach(key -> write("rf3", key));
    Map<String, Long> before = counters(0);
    long stalled = nodes.cluster().pids()[2];
    signal("-STOP", stalled);
    try {
      List<CompletableFuture<?>> reads = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        reads.add(readAsync(0, "rf3", keys.get(i % 6)).handle((rows, error) -> null));
      }
      Waiting.until("some reads are outstanding", () -> openTickets(0) > 0);
      Waiting.until("all tickets closed", () -> openTickets(0) == 0);
      Map<String, Long> counted = since(before, counters(0));
      assertThat(counted.get("tickets_timed_out") + counted.get("tickets_cancelled")).isPositive();
    } finally {
      signal("-CONT", stalled);
    }
    assertThat(nodes.admin().rows(node(0), "SELECT * FROM manx.replicas"))
        .allMatch(row -> Integer.valueOf(0).equals(row.get("outstanding_reads")))
        .allMatch(row -> Long.valueOf(0).equals(row.get("outstanding_work_us")));
    Waiting.until("node 3 is back", () -> isRead(2, keys));
  }

  private boolean isRead(int node, List<String> keys) {
    try {
      return !read(node, "rf3", keys, -1).isEmpty();
    } catch (DriverException e) {
      // The driver has not yet noticed that it is back.
      return false;
    }
  }

  @Test
  void aMultigetIsUnpagedOnlyIfItProvablyFitsOnePage() {
    nodes.set("document", "strategy: {}");
    nodes.set("mode", "on");
    List<String> keys = keysWithPrimary("rf3", 1, 1024, 6);
    keys.forEach(key -> write("rf3", key));
    assertThat(unpagedBy(() -> read(0, "rf3", keys, 100))).isEqualTo(1);
    assertThat(unpagedBy(() -> read(0, "rf3", keys, 6))).isEqualTo(1);
    // More keys than the page holds: all of them are read page by page, without a plan.
    long planned = counters(0).get("requests_planned");
    assertThat(unpagedBy(() -> read(0, "rf3", keys, 5))).isZero();
    assertThat(counters(0).get("requests_planned")).isEqualTo(planned);
    // One key, or no paging asked for: nothing to take off.
    assertThat(unpagedBy(() -> read(0, "rf3", keys.subList(0, 1), 100))).isZero();
    assertThat(unpagedBy(() -> read(0, "rf3", keys, -1))).isZero();
    // Rows of unknown number behind each key.
    for (int c = 0; c < 10; c++) {
      writeToAll("INSERT INTO rf3.wide (k, c, v) VALUES ('a', ?, 'v')", c);
    }
    SimpleStatement partitions =
        SimpleStatement.newInstance("SELECT k, c FROM rf3.wide WHERE k IN ('a', 'b')");
    assertThat(unpagedBy(() -> assertThat(rows(0, partitions, 4)).hasSize(10))).isZero();
    SimpleStatement rowsByKey =
        SimpleStatement.newInstance("SELECT k, c FROM rf3.wide WHERE k IN ('a', 'b') AND c = 3");
    assertThat(unpagedBy(() -> assertThat(rows(0, rowsByKey, 4)).hasSize(1))).isEqualTo(1);
    // Shadow plans and tags it though stock pages it, and counts that it would not have paged it.
    nodes.set("document", MANX);
    nodes.set("mode", "shadow");
    Map<String, Long> before = counters(0);
    assertThat(unpagedBy(() -> read(0, "rf3", keys, 100))).isEqualTo(1);
    Map<String, Long> shadow = since(before, counters(0));
    assertThat(shadow).containsEntry("requests_planned", 1L).containsEntry("reads_planned", 6L);
    // Stock reads all of them from their first replica, which is node 2.
    assertThat(shadow.get("tags_sent")).isEqualTo(6);
  }

  @Test
  void invalidRequestsAreNotCountedAsFailuresOfManx() {
    nodes.set("document", MANX);
    nodes.set("mode", "on");
    List<String> keys = keysWithPrimary("rf3", 1, 1024, 1);
    keys.forEach(key -> write("rf3", key));
    SimpleStatement named =
        SimpleStatement.newInstance(
            "SELECT k FROM rf3.t WHERE k = :key", Map.of("key", keys.get(0)));
    long planned = counters(0).get("requests_planned");
    long faults = counters(0).get("faults");
    assertThat(rows(0, named, -1)).hasSize(1);
    assertThat(counters(0).get("requests_planned")).isEqualTo(planned + 1);
    for (SimpleStatement wrong :
        List.of(
            SimpleStatement.newInstance("SELECT k FROM rf3.t WHERE k = ?"),
            SimpleStatement.newInstance("SELECT k FROM rf3.t WHERE k = ?", "a", "b"),
            SimpleStatement.newInstance("SELECT k FROM rf3.t WHERE k IN (?, ?)", "a"),
            SimpleStatement.newInstance("INSERT INTO rf3.t (k, v) VALUES (?, ?)", "a"))) {
      for (int i = 0; i < 20; i++) {
        assertThatThrownBy(() -> rows(0, wrong, -1)).isInstanceOf(InvalidQueryException.class);
      }
    }
    // Paged, so that whether it is a fan-out depends on the limit, which only stock may refuse.
    SimpleStatement noLimit =
        SimpleStatement.newInstance("SELECT k FROM rf3.t WHERE k IN ('a', 'b') LIMIT ?", 0);
    for (int i = 0; i < 20; i++) {
      assertThatThrownBy(() -> rows(0, noLimit, 100)).isInstanceOf(InvalidQueryException.class);
    }
    assertThat(counters(0).get("faults")).isEqualTo(faults);
    assertThat(mode(0)).isEqualTo("on");
  }

  @Test
  void aRefusedSwitchSaysWhyAndChangesNothing() {
    nodes.set("document", LOR);
    nodes.set("mode", "on");
    for (String[] bad :
        new String[][] {
          {"mode", "sideways", "allowed: off, shadow, on"},
          {"document", "strategy: { select: select.best }", "select.best"},
          {
            "document", "strategy: { order: { policy: order.bottleneck, max-wait: 5 } }", "max-wait"
          },
          {"document", "strategy: { colour: red }", "colour"},
          {
            "document",
            "strategy: { order: { policy: order.bottleneck, max-wait: 3s } }",
            "half of this node's read_request_timeout"
          },
          {"colour", "red", "valid names: mode, document"},
        }) {
      assertThatThrownBy(() -> nodes.set(bad[0], bad[1]))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining(bad[2]);
    }
    assertThat(nodes.table(0, "manx.strategy", "value"))
        .containsEntry("mode", "on")
        .containsEntry("policy.select", "select.lor");
  }

  @Test
  void theKillFileSwitchesOffAndKeepsOff() throws Exception {
    nodes.set("document", LOR);
    nodes.set("mode", "on");
    Path killFile = Path.of(nodes.table(0, "manx.strategy", "value").get("kill-file"));
    Files.createFile(killFile);
    try {
      Waiting.until("off", () -> mode(0).equals("off"));
      // The mode takes effect at once; then it is said why, and the hooks leave the path.
      Waiting.until(
          "the hooks are out of the path",
          () -> Set.copyOf(nodes.table(0, "manx.hooks", "state").values()).equals(Set.of("stock")));
      assertThat(nodes.table(0, "manx.strategy", "value").get("trouble")).contains("kill file");
      assertThatThrownBy(() -> nodes.set("mode", "on"))
          .isInstanceOf(InvalidQueryException.class)
          .hasMessageContaining("kill file");
    } finally {
      Files.delete(killFile);
    }
    assertThat(mode(1)).isEqualTo("on");
    nodes.set("mode", "on");
    assertThat(nodes.table(0, "manx.hooks", "state").values()).containsOnly("installed");
  }

  @Test
  @SuppressWarnings("BanJNDI") // JMX on loopback is what is tested
  void jmxSwitchesAndCounts() throws Exception {
    JMXServiceURL url =
        new JMXServiceURL(
            "service:jmx:rmi:///jndi/rmi://127.0.0.1:"
                + nodes.cluster().nodes().get(0).jmxPort()
                + "/jmxrmi");
    try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
      MBeanServerConnection server = connector.getMBeanServerConnection();
      ObjectName manx = new ObjectName("dev.manx:type=Manx");
      server.setAttribute(manx, new Attribute("Mode", "shadow"));
      assertThat(mode(0)).isEqualTo("shadow");
      assertThat(mode(1)).isEqualTo("off");
      assertThat(server.getAttribute(manx, "Breaker")).isEqualTo("closed");
      assertThatThrownBy(() -> server.setAttribute(manx, new Attribute("Mode", "sideways")))
          .hasRootCauseInstanceOf(IllegalArgumentException.class)
          .hasStackTraceContaining("off, shadow, on");
      assertThat(server.getAttribute(manx, "Persisted")).isEqualTo("");
      persist(server, "mode");
      assertThat(server.getAttribute(manx, "Persisted").toString()).startsWith("mode since ");
      assertThat(nodes.table(0, "manx.strategy", "value"))
          .containsEntry("persisted.mode", "shadow");
      assertThatThrownBy(() -> persist(server, "colour"))
          .hasRootCauseInstanceOf(IllegalArgumentException.class)
          .hasStackTraceContaining("one or more of mode, document");
      server.setAttribute(manx, new Attribute("Mode", "off"));
      assertThat(mode(0)).isEqualTo("off");
      assertThat(server.getAttribute(manx, "Persisted")).as("off ends it").isEqualTo("");
    }
  }

  private static void persist(MBeanServerConnection server, String rows) throws Exception {
    server.invoke(
        new ObjectName("dev.manx:type=Manx"),
        "persist",
        new Object[] {rows},
        new String[] {String.class.getName()});
  }

  private long openTickets(int node) {
    String open = nodes.table(node, "manx.strategy", "value").get("tickets.open");
    return Long.parseLong(open.substring(0, open.indexOf(' ')));
  }

  private long unpagedBy(Runnable action) {
    long before = counters(0).get("multigets_unpaged");
    action.run();
    return counters(0).get("multigets_unpaged") - before;
  }

  private static void signal(String signal, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor()).isZero();
  }
}
