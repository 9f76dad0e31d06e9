/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Counts the work of Manx for requests without waiting reads: no plan, no tag, no queue, no read
 * away from home. Checks that it acts again when a queue forms. Bounds on counts need no quiet
 * machine. Tests of the preference for home come first: a node forgets longer reads of others only
 * by an eighth per second.
 */
@SharedNodes
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Isolated
@Timeout(180)
class CalmEndToEndTest {
  private static final int KEYS = 40;
  private static final int REQUESTS = 320;
  // So many reads a node plans with a larger share after its start.
  private static final int FIRST_READS = 5_000;
  // Each takes some seconds; the class's time-out ends them earlier on a very slow machine.
  private static final int MOST_ATTEMPTS = 25;
  private static final String MANX =
      """
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        oracles: { size: { policy: oracle.size-bloom, large-above: 32KiB } }
        facts: [pending-reads, service-time, work-ahead, slowness]
      """;

  private ThreeNodes nodes;

  @BeforeEach
  void data(ThreeNodes fixture) {
    nodes = fixture;
    execute(
        "CREATE KEYSPACE IF NOT EXISTS calm WITH replication ="
            + " {'class': 'SimpleStrategy', 'replication_factor': 3}");
    execute(
        "CREATE TABLE IF NOT EXISTS calm.t (k int PRIMARY KEY, v blob) WITH memtable = 'modelled'"
            + " AND speculative_retry = 'NEVER'");
    for (int key = 0; key < KEYS; key++) {
      nodes.write("INSERT INTO calm.t (k, v) VALUES (?, ?)", key, ByteBuffer.allocate(100));
    }
    model(0);
    nodes.set("document", MANX);
    nodes.set("mode", "on");
    nodes.set("calm-after", "300ms");
    await("all nodes are calm", this::calm);
  }

  @AfterEach
  void restore() {
    nodes.set("mode", "off");
    nodes.set("calm-after", "0s");
    model(2_000_000);
  }

  @Test
  void whereNothingWaitsRequestsAreLeftToStock() {
    AtomicLong followed = new AtomicLong();
    AtomicLong before = new AtomicLong();
    Map<String, Long> counted =
        countedWhileCalm(
            () -> {
              followed.set(followed());
              before.set(readsPlanned(0));
              for (int i = 0; i < REQUESTS; i++) {
                read(0, i % KEYS);
              }
            });
    assertThat(followed() - followed.get())
        .as("only those that are followed anyway are timed, apart from those in stock's order")
        .isLessThanOrEqualTo(counted.get("requests_followed"));
    assertThat(counted.get("requests_calm")).as("requests left to stock").isEqualTo(REQUESTS);
    assertThat(counted.get("requests_planned"))
        .as("only those that are followed are planned")
        .isLessThanOrEqualTo(counted.get("requests_followed"));
    if (before.get() >= FIRST_READS) {
      assertThat(counted.get("requests_followed"))
          .as("one in 64 of each thread is followed")
          .isLessThanOrEqualTo(REQUESTS / 32);
    }
    assertThat(counted.get("select_applied")).as("replicas chosen").isZero();
    assertThat(counted.get("select_decisions")).as("decisions").isZero();
    assertThat(counted.get("tags_sent")).as("tags").isZero();
    assertThat(counted.get("order_passed")).as("messages and local reads").isEqualTo(REQUESTS);
    assertThat(counted.get("faults")).isZero();
  }

  @Test
  @Order(1)
  void shortReadsStayAtHome() {
    // Stock's order is that of the ring, so that two of three keys are another node's first. A node
    // learns what a read and a hop take from some of both.
    long faults = all().get("faults");
    int away = KEYS - nodes.keysOf(0, KEYS).size();
    othersAreFar();
    AtomicLong elsewhere = new AtomicLong();
    Map<String, Long> counted;
    int rounds = 0;
    do {
      assertThat(rounds++).as("rounds that began or ended without it").isLessThan(MOST_ATTEMPTS);
      await("node 0 prefers home", () -> prefersHomeAfterReads(0));
      counted = countedWhileCalm(() -> elsewhere.set(servedElsewhereOfAllKeys()));
    } while (!prefersHome(0));
    // Few requests are followed, and one in four of these goes where stock sends it.
    assertThat(elsewhere.get()).as("reads that other nodes served").isLessThan(away / 4);
    assertThat(counted.get("reads_kept_home")).isGreaterThan(away - away / 4);
    nodes.set("mode", "off");
    Map<String, Long> before = all();
    assertThat(servedElsewhereOfAllKeys()).as("in mode off").isEqualTo(away);
    assertThat(since(before).get("reads_kept_home")).as("after the switch").isZero();
    assertThat(all().get("faults")).isEqualTo(faults);
  }

  /** Reads all keys; returns for how many of them nodes 1 and 2 count a read of their own. */
  private long servedElsewhereOfAllKeys() {
    long before = served(1) + served(2);
    readAll();
    return served(1) + served(2) - before;
  }

  private long served(int node) {
    return (Long)
        nodes
            .admin()
            .rows(
                node(node),
                "SELECT count FROM system_views.local_read_latency"
                    + " WHERE keyspace_name = 'calm' AND table_name = 't'")
            .get(0)
            .get("count");
  }

  @Test
  @Order(2)
  @EnabledIfEnvironmentVariable(
      named = "MANX_FULL",
      matches = "1",
      disabledReason = "./test --full waits until nodes have learned twice")
  void longReadsAreLeftToTheSnitch() {
    othersAreFar();
    await("node 0 prefers home", () -> prefersHomeAfterReads(0));
    // Reads of 20 ms are not short ones, on any node.
    model(20_000_000);
    await(
        "reads are long",
        () -> {
          readAll();
          return homeFirst(0).values().stream().noneMatch(first -> first);
        });
    model(0);
  }

  @Test
  void aMultigetIsStillReadInParallelThen() {
    Map<String, Long> counted =
        countedWhileCalm(
            () -> {
              for (int i = 0; i < 64; i++) {
                SimpleStatement two =
                    SimpleStatement.newInstance(
                        "SELECT * FROM calm.t WHERE k IN (?, ?)", i % KEYS, (i + 1) % KEYS);
                assertThat(nodes.session().driver().execute(two.setNode(node(0)))).hasSize(2);
              }
            });
    assertThat(counted.get("multigets_unpaged")).isEqualTo(64);
    assertThat(counted.get("select_applied")).isZero();
  }

  @Test
  void manxIsBackAsSoonAsReadsWait() {
    // All together take far less than their time-out, also on a machine that pauses.
    model(100_000_000);
    // Longer than it takes a busy machine to look at all nodes and read once.
    nodes.set("calm-after", "1min");
    Map<String, Long> before = all();
    List<CompletableFuture<?>> reads = new ArrayList<>();
    // So many, and so long ones, that it does not matter how busy this machine's cores are.
    for (int i = 0; i < 90; i++) {
      SimpleStatement one =
          SimpleStatement.newInstance("SELECT * FROM calm.t WHERE k = ?", i % KEYS);
      reads.add(nodes.session().driver().executeAsync(one.setNode(node(0))).toCompletableFuture());
    }
    CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new)).join();
    Map<String, Long> counted = since(before);
    assertThat(counted.get("order_queued")).as("reads that waited").isPositive();
    assertThat(calm(0)).isFalse();
    long planned = all().get("requests_planned");
    read(0, 1);
    assertThat(all().get("requests_planned"))
        .as("the next request has a plan")
        .isGreaterThan(planned);
    nodes.set("calm-after", "300ms");
    await("all is calm again", this::calm);
  }

  /**
   * Returns the counts of requests during which all nodes stayed calm and no read waited. Where
   * other work holds the cores a read may wait for one: its threads, though they have answered,
   * still run. Few such waits are no queue yet. The requests are then sent again.
   */
  private Map<String, Long> countedWhileCalm(Runnable requests) {
    // Longer than the requests take, so that a queue among them is still known after the last one.
    long rememberedSeconds = 3;
    nodes.set("calm-after", rememberedSeconds + "s");
    List<Long> waited = new ArrayList<>();
    for (int attempts = 0; attempts < MOST_ATTEMPTS; attempts++) {
      await("all nodes are calm", this::calm);
      Map<String, Long> before = all();
      long began = System.nanoTime();
      requests.run();
      Map<String, Long> counted = since(before);
      long queued = counted.get("order_queued");
      waited.add(queued);
      boolean known = System.nanoTime() - began < TimeUnit.SECONDS.toNanos(rememberedSeconds);
      if (calm() && known && queued == 0) {
        return counted;
      }
      if (!known) {
        rememberedSeconds *= 2;
        nodes.set("calm-after", rememberedSeconds + "s");
      }
    }
    throw new AssertionError("not once calm; reads that waited, by attempt: " + waited);
  }

  /**
   * Node 0 waits 5 ms longer for the others' answers, as over a long distance. It then prefers home
   * even before the longer reads of other tests have faded, by an eighth per second.
   */
  private void othersAreFar() {
    model(node(1), 5_000_000);
    model(node(2), 5_000_000);
  }

  private boolean prefersHomeAfterReads(int coordinator) {
    readAll();
    return prefersHome(coordinator);
  }

  private boolean prefersHome(int coordinator) {
    Map<String, Boolean> first = homeFirst(coordinator);
    return first.values().stream().filter(is -> is).count() == 2;
  }

  private void readAll() {
    for (int key = 0; key < KEYS; key++) {
      read(0, key);
    }
  }

  /** Of each node, whether a coordinator keeps its reads from it. */
  private Map<String, Boolean> homeFirst(int coordinator) {
    Map<String, Boolean> first = new TreeMap<>();
    nodes
        .admin()
        .rows(node(coordinator), "SELECT address, home_first FROM manx.replicas")
        .forEach(row -> first.put((String) row.get("address"), (Boolean) row.get("home_first")));
    return first;
  }

  private void read(int coordinator, int key) {
    SimpleStatement one = SimpleStatement.newInstance("SELECT * FROM calm.t WHERE k = ?", key);
    assertThat(nodes.session().driver().execute(one.setNode(node(coordinator)))).hasSize(1);
  }

  /** Requests whose latency node 0 entered. */
  private long followed() {
    return nodes.admin().rows(node(0), "SELECT * FROM manx.latency WHERE name = 'calm.t'").stream()
        .mapToLong(row -> (Long) row.get("acted_count") + (Long) row.get("control_count"))
        .sum();
  }

  /** Reads that a node has planned. */
  private long readsPlanned(int node) {
    return Long.parseLong(nodes.table(node, "manx.counters", "value").get("reads_planned"));
  }

  private boolean calm() {
    return calm(0) && calm(1) && calm(2);
  }

  private boolean calm(int node) {
    return nodes.table(node, "manx.strategy", "value").get("queues").startsWith("none");
  }

  /** The counters of all nodes together. */
  private Map<String, Long> all() {
    Map<String, Long> sums = new TreeMap<>();
    for (int node = 0; node < 3; node++) {
      nodes
          .table(node, "manx.counters", "value")
          .forEach((name, value) -> sums.merge(name, Long.valueOf(value), Long::sum));
    }
    return sums;
  }

  private Map<String, Long> since(Map<String, Long> before) {
    Map<String, Long> counted = all();
    counted.replaceAll((name, value) -> value - before.get(name));
    return counted;
  }

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  private void execute(String cql, Object... values) {
    nodes.admin().execute(node(0), cql, values);
  }

  private void model(long baseNanos) {
    nodes.admin().nodes().forEach(node -> model(node, baseNanos));
  }

  private void model(Node node, long baseNanos) {
    String update = "UPDATE manx_lab.service_model SET value = ? WHERE name = ?";
    nodes.admin().execute(node, update, baseNanos, "base_nanos");
    nodes.admin().execute(node, update, baseNanos == 0 ? 0L : 50_000L, "per_kib_nanos");
  }

  private static void await(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime() - deadline).as("waiting until " + what).isNegative();
      Thread.onSpinWait();
    }
  }
}
