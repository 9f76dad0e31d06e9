/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.metadata.token.TokenRange;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import javax.management.Attribute;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The plugin on real nodes: what it decides, what it counts, and every way to switch it. */
@SharedNodes
class PluginEndToEndTest {
  private static final String LOR = "strategy: { select: select.lor, facts: [pending-reads] }";
  private static final String BOTTLENECK =
      """
      strategy:
        order: { policy: order.bottleneck, max-wait: 2s }
        oracles: { size: { policy: oracle.size-key-encoded, large-above: 64KiB } }
      """;
  private static final String MANX =
      """
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 32KiB } }
        facts: [pending-reads, service-time, work-ahead]
      """;

  private ThreeNodes nodes;

  @BeforeEach
  void schema(ThreeNodes fixture) {
    nodes = fixture;
    for (int replicas : new int[] {1, 3}) {
      nodes
          .admin()
          .execute(
              node(0),
              "CREATE KEYSPACE IF NOT EXISTS rf"
                  + replicas
                  + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': "
                  + replicas
                  + "}");
      nodes
          .admin()
          .execute(
              node(0),
              "CREATE TABLE IF NOT EXISTS rf"
                  + replicas
                  + ".t (k text PRIMARY KEY, v blob) WITH memtable = 'modelled'"
                  + " AND speculative_retry = 'NEVER'");
    }
    nodes
        .admin()
        .execute(
            node(0),
            "CREATE TABLE IF NOT EXISTS rf3.wide (k text, c int, v text, PRIMARY KEY (k, c))");
  }

  @AfterEach
  void off() {
    model(2_000_000, 50_000);
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void shadowCountsTheReadsThatWouldHaveGoneElsewhereAndActsOnNothing() {
    // Three keys with the same replicas in the same order: stock sends all three to the first,
    // least
    // outstanding would send one to each, whichever way it breaks ties. So of every three reads
    // exactly two would have gone elsewhere.
    List<String> keys = keysWithPrimary("rf3", 1, 1024, 3);
    keys.forEach(key -> write("rf3", key));
    nodes.set("document", LOR);
    nodes.set("mode", "shadow");
    Map<String, Long> before = counters(0);
    Map<String, Long> servedBefore = counters(1);
    for (int i = 0; i < 20; i++) {
      assertThat(read(0, "rf3", keys, -1)).containsExactlyInAnyOrderElementsOf(keys);
    }
    assertThat(nodes.table(0, "manx.hooks", "state")).containsEntry("snitch", "stock");
    Map<String, Long> counted = since(before, counters(0));
    assertThat(counted.get("requests_planned")).isEqualTo(20);
    assertThat(counted.get("reads_planned")).isEqualTo(60);
    assertThat(counted.get("select_decisions")).isEqualTo(60);
    assertThat(counted.get("select_changed")).isEqualTo(40);
    assertThat(counted.get("select_applied")).isZero();
    assertThat(counted.get("faults")).isZero();
    // Stock's choice served them all.
    assertThat(served(1, servedBefore)).isEqualTo(60);
  }

  @Test
  void onSendsThemElsewhere() {
    List<String> keys = keysWithPrimary("rf3", 1, 1024, 3);
    keys.forEach(key -> write("rf3", key));
    nodes.set("document", LOR);
    nodes.set("mode", "on");
    Map<String, Long> before = counters(0);
    List<Map<String, Long>> served = List.of(before, counters(1), counters(2));
    for (int i = 0; i < 20; i++) {
      assertThat(read(0, "rf3", keys, -1)).containsExactlyInAnyOrderElementsOf(keys);
    }
    assertThat(since(before, counters(0)).get("select_applied")).isEqualTo(60);
    // One of each three to every node, but for ties with a local read whose ticket is just closing.
    for (int node = 0; node < 3; node++) {
      assertThat(served(node, served.get(node)))
          .as("reads served by node %d", node + 1)
          .isBetween(10L, 30L);
    }
  }

  @Test
  void shadowCountsTheDispatchesThatWouldHaveBeenOthersAndActsOnNothing() {
    assertThat(dispatchOrder("shadow")).containsExactly("large", "small");
  }

  @Test
  void onServesTheSmallerFirst() {
    assertThat(dispatchOrder("on")).containsExactly("small", "large");
  }

  /**
   * Two reads hold both read threads of node 2, one ending well before the other, while a large and
   * then a small one queue behind them. Of the two dispatches exactly one, the first, differs
   * between arrival order and order.bottleneck, and the large one takes less longer than the
   * threads are free one after the other, so they end as they were dispatched. A driver may look at
   * a node's system tables meanwhile: then all is done again.
   */
  private List<String> dispatchOrder(String mode) {
    for (int tries = 1; ; tries++) {
      List<String> ended = undisturbedOrder(mode);
      if (ended != null) {
        return ended;
      }
      assertThat(tries).as("tries among other reads, or on a busy machine").isLessThan(10);
    }
  }

  /**
   * Null if the node got other reads than these, a thread was free before both waited, or one of
   * them waited until arrival order ruled.
   */
  private List<String> undisturbedOrder(String mode) {
    List<String> blockers = keysWithPrimary("rf1", 1, 1024, 2);
    String large = keysWithPrimary("rf1", 1, 131_072, 1).get(0);
    String small = keysWithPrimary("rf1", 1, 2048, 1).get(0);
    for (String key : List.of(blockers.get(0), blockers.get(1), large, small)) {
      write("rf1", key);
    }
    nodes.set("document", BOTTLENECK);
    nodes.set("mode", mode);
    // Some time for each KiB: the node learns what reads cost, and would soon take all for alike.
    // Much of it, for what a busy machine adds to a read is learned too.
    model(1_500_000_000, 5_000_000);
    Map<String, Long> before = counters(1);
    List<String> ended = new ArrayList<>();
    List<CompletableFuture<?>> reads = new ArrayList<>();
    reads.add(readAsync(0, "rf1", blockers.get(0)));
    pause(900);
    reads.add(readAsync(0, "rf1", blockers.get(1)));
    await("two reads run", () -> served(1, before) >= 2);
    reads.add(readAsync(0, "rf1", large).thenRun(() -> note(ended, "large")));
    await("the large read waits", () -> served(1, before) >= 3);
    reads.add(readAsync(0, "rf1", small).thenRun(() -> note(ended, "small")));
    await("the small read waits", () -> served(1, before) >= 4);
    boolean inTime = since(before, counters(1)).get("order_decisions") == 0;
    CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).join();
    Map<String, Long> counted = since(before, counters(1));
    if (!inTime || served(1, before) != 4 || counted.get("order_cuts") > 0) {
      return null;
    }
    assertThat(counted.get("order_decisions")).isEqualTo(2);
    assertThat(counted.get("order_changed")).isEqualTo(1);
    return ended;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads that a node got since, whether they had to wait or not. */
  private long served(int node, Map<String, Long> before) {
    Map<String, Long> counted = since(before, counters(node));
    return counted.get("order_queued") + counted.get("order_passed");
  }

  private static void note(List<String> ended, String name) {
    synchronized (ended) {
      ended.add(name);
    }
  }

  @Test
  void answersAreRightAndEveryTicketIsClosed() {
    nodes.set("document", MANX);
    nodes.set("mode", "on");
    List<String> keys =
        IntStream.range(0, 120).mapToObj(i -> (i % 20 == 0 ? 65_536 : 1024) + "_" + i).toList();
    keys.forEach(key -> write("rf3", key));
    for (int i = 0; i < 120; i++) {
      List<String> some = keys.subList(i % 60, i % 60 + 1 + i % 37);
      assertThat(read(i % 3, "rf3", some, -1)).containsExactlyInAnyOrderElementsOf(some);
    }
    for (int node = 0; node < 3; node++) {
      int asked = node;
      await("all tickets of node " + node + " closed", () -> openTickets(asked) == 0);
      Map<String, Long> counted = counters(node);
      assertThat(counted.get("tickets_opened"))
          .isEqualTo(
              counted.get("tickets_answered")
                  + counted.get("tickets_failed")
                  + counted.get("tickets_timed_out")
                  + counted.get("tickets_cancelled"));
      assertThat(counted.get("faults")).isZero();
      assertThat(counted.get("tags_received")).isPositive();
      assertThat(counted.get("facts_received")).isPositive();
      assertThat(counted.get("sizes_learned_from_writes")).isPositive();
    }
  }

  @Test
  void ticketsOfANodeThatStallsAreClosedWhenTheyExpire() throws Exception {
    nodes.set("document", "strategy: { select: select.random }");
    nodes.set("mode", "on");
    List<String> keys = keysWithPrimary("rf3", 2, 1024, 6);
    keys.forEach(key -> write("rf3", key));
    long stalled = nodes.cluster().pids()[2];
    signal("-STOP", stalled);
    try {
      List<CompletableFuture<?>> reads = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        reads.add(readAsync(0, "rf3", keys.get(i % 6)).handle((rows, error) -> null));
      }
      await("some reads are outstanding", () -> openTickets(0) > 0);
      await("all tickets closed", () -> openTickets(0) == 0);
      assertThat(counters(0).get("tickets_timed_out") + counters(0).get("tickets_cancelled"))
          .isPositive();
    } finally {
      signal("-CONT", stalled);
    }
    assertThat(nodes.admin().rows(node(0), "SELECT * FROM manx.replicas"))
        .allMatch(row -> Integer.valueOf(0).equals(row.get("outstanding_reads")))
        .allMatch(row -> Long.valueOf(0).equals(row.get("outstanding_work_us")));
    await("node 3 is back", () -> !read(2, "rf3", keys, -1).isEmpty());
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
      await("off", () -> mode(0).equals("off"));
      assertThat(nodes.table(0, "manx.hooks", "state").values()).containsOnly("stock");
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

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  private String mode(int node) {
    return nodes.table(node, "manx.strategy", "value").get("mode");
  }

  private Map<String, Long> counters(int node) {
    Map<String, Long> counters = new java.util.TreeMap<>();
    nodes
        .table(node, "manx.counters", "value")
        .forEach((name, value) -> counters.put(name, Long.valueOf(value)));
    return counters;
  }

  private static Map<String, Long> since(Map<String, Long> before, Map<String, Long> now) {
    Map<String, Long> difference = new java.util.TreeMap<>();
    now.forEach((name, value) -> difference.put(name, value - before.getOrDefault(name, 0L)));
    return difference;
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

  private void model(long baseNanos, long perKibNanos) {
    for (Node node : nodes.admin().nodes()) {
      String update = "UPDATE manx_lab.service_model SET value = ? WHERE name = ?";
      nodes.admin().execute(node, update, baseNanos, "base_nanos");
      nodes.admin().execute(node, update, perKibNanos, "per_kib_nanos");
    }
  }

  /** Keys whose first natural replica is a node, all in one of its token ranges. */
  private List<String> keysWithPrimary(String keyspace, int node, int bytes, int count) {
    var map = nodes.session().driver().getMetadata().getTokenMap().orElseThrow();
    TokenRange range = map.getTokenRanges(node(node)).iterator().next();
    List<String> keys = new ArrayList<>();
    for (int i = 0; keys.size() < count; i++) {
      String key = bytes + "_" + keyspace + i;
      ByteBuffer token = ByteBuffer.wrap(key.getBytes(StandardCharsets.UTF_8));
      if (range.contains(map.newToken(token))) {
        keys.add(key);
      }
    }
    return keys;
  }

  private void write(String keyspace, String key) {
    int bytes = Integer.parseInt(key.substring(0, key.indexOf('_')));
    writeToAll(
        "INSERT INTO " + keyspace + ".t (k, v) VALUES (?, ?)", key, ByteBuffer.allocate(bytes));
  }

  /** Every replica has it afterwards, for the reads ask one of them. */
  private void writeToAll(String cql, Object... values) {
    nodes
        .session()
        .driver()
        .execute(
            SimpleStatement.newInstance(cql, values)
                .setNode(node(0))
                .setTimeout(Duration.ofSeconds(30))
                .setConsistencyLevel(DefaultConsistencyLevel.ALL));
  }

  private static SimpleStatement multiget(String keyspace, List<String> keys) {
    String marks = String.join(", ", java.util.Collections.nCopies(keys.size(), "?"));
    return SimpleStatement.newInstance(
        "SELECT k, v FROM " + keyspace + ".t WHERE k IN (" + marks + ")", keys.toArray());
  }

  private List<String> read(int node, String keyspace, List<String> keys, int pageSize) {
    return rows(node, multiget(keyspace, keys), pageSize).stream()
        .map(row -> row.getString("k"))
        .toList();
  }

  /** All rows over all pages; page size -1 is no paging, as the driver's profile has it. */
  private List<Row> rows(int node, SimpleStatement statement, int pageSize) {
    SimpleStatement sent = statement.setNode(node(node));
    if (pageSize > 0) {
      sent = sent.setPageSize(pageSize);
    } else {
      sent = sent.setExecutionProfile(unpaged());
    }
    return nodes.session().driver().execute(sent).all();
  }

  private com.datastax.oss.driver.api.core.config.DriverExecutionProfile unpaged() {
    return nodes
        .session()
        .driver()
        .getContext()
        .getConfig()
        .getDefaultProfile()
        .withInt(com.datastax.oss.driver.api.core.config.DefaultDriverOption.REQUEST_PAGE_SIZE, -1);
  }

  private CompletableFuture<AsyncResultSet> readAsync(int node, String keyspace, String key) {
    return nodes
        .session()
        .driver()
        .executeAsync(multiget(keyspace, Arrays.asList(key)).setNode(node(node)))
        .toCompletableFuture();
  }

  private static void signal(String signal, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor()).isZero();
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("waiting until " + what).isNegative();
      pause(50);
    }
  }
}
