/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.ExecutionInfo;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.policy.config.Units;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;

/**
 * Reads held at their coordinator: correct rows, unchanged statistics, immediate release. The only
 * test whose nodes report the time of their reads comes first, and those that wait until such
 * reports are forgotten come last.
 */
@SharedNodes
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Timeout(300)
class HoldsEndToEndTest {
  private static final int LAST = Integer.MAX_VALUE;
  private static final int KEYS = 60;
  private static final int REQUESTS = 20;
  private static final int MOST_ROUNDS = 10;
  private static final int FORECAST_MILLIS = 40;
  // Each read more at the bottleneck holds the others for another forecast.
  private static final String HELD = held("", FORECAST_MILLIS);

  // One read of a node at a time, and the next one milliseconds later.
  private static final String RATED =
      """
      strategy:
        select: { policy: select.c3-rate-control, first-rate: 2, burst: 1, floor: 1 }
        facts: [pending-reads, service-time]
      """;

  private ThreeNodes nodes;
  private CqlSession session;
  private PreparedStatement multiget;
  private PreparedStatement retried;
  private final Map<String, Long> before = new TreeMap<>();

  private static String held(String more, int forecastMillis) {
    return """
        strategy:
          select: select.random
          fanout: { policy: fanout.tailx-hold%s }
          oracles: { forecast: { small-default: %dms, large-default: %dms } }
          facts: [work-ahead]
        """
        .formatted(more, forecastMillis, forecastMillis);
  }

  @BeforeEach
  void fill(ThreeNodes fixture) {
    nodes = fixture;
    session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS held"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    for (String table :
        List.of("t WITH speculative_retry = 'NONE'", "r WITH speculative_retry = 'ALWAYS'")) {
      String name = table.substring(0, 1);
      session.execute(
          "CREATE TABLE IF NOT EXISTS held."
              + name
              + " (k int PRIMARY KEY, v int)"
              + table.substring(1));
      PreparedStatement insert =
          session.prepare("INSERT INTO held." + name + " (k, v) VALUES (?, ?)");
      CheckedLoad.fill(session, insert, KEYS);
    }
    multiget = session.prepare("SELECT k, v FROM held.t WHERE k IN ?");
    retried = session.prepare("SELECT k, v FROM held.r WHERE k IN ?");
    nodes.set("document", HELD);
    before.putAll(counters());
  }

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void readsToOtherNodesAndOwnOnesAreHeldAndAnswered() throws Exception {
    nodes.set("mode", "on");
    long timeouts = nodes.timeouts();
    for (int i = 0; i < REQUESTS; i++) {
      ask(multiget, DefaultConsistencyLevel.ONE, i);
      ask(multiget, DefaultConsistencyLevel.QUORUM, i);
      ask(retried, DefaultConsistencyLevel.ONE, i);
      ask(retried, DefaultConsistencyLevel.QUORUM, i);
    }
    ended();
    System.out.println("held reads: " + counted());
    assertThat(counted().get("reads_held")).isGreaterThan(REQUESTS);
    assertThat(counted().get("holds_cut")).isZero();
    assertThat(counted().get("holds_refused")).isZero();
    assertThat(counted().get("faults")).isZero();
    assertThat(nodes.timeouts()).as("time-outs of messages").isEqualTo(timeouts);
  }

  /** The dynamic snitch receives the time of the nodes, without the time of the hold. */
  @Test
  @Order(LAST)
  void noHoldIsInTheDynamicSnitchsTimings() throws Exception {
    snitch(true);
    try {
      forecast(100);
      nodes.set("mode", "on");
      for (int i = 0; i < REQUESTS; i++) {
        ask(multiget, DefaultConsistencyLevel.ONE, i);
      }
      // Replicas are drawn at random: repeat until each has served.
      for (int i = REQUESTS; i < 20 * REQUESTS && !allTimed(); i++) {
        ask(multiget, DefaultConsistencyLevel.ONE, i);
      }
      ended();
      assertThat(counted().get("reads_held")).isGreaterThan(REQUESTS);
      for (int node = 0; node < 3; node++) {
        List<Double> timings = timings(ThreeNodes.address(node));
        System.out.println("timings of node " + node + ", ms: " + timings);
        assertThat(timings).isNotEmpty();
        // Any hold is at least 100 ms; a busy host may have held up some reads itself.
        Collections.sort(timings);
        assertThat(timings.get(timings.size() / 2)).isLessThan(100);
      }
    } finally {
      nodes.set("mode", "off");
      snitch(false);
    }
  }

  @Test
  void aTracedRequestIsAnsweredAndItsTraceNamesTheReplicas() {
    nodes.set("mode", "on");
    ExecutionInfo info = null;
    // Replicas are drawn at random: if all reads of a request go to one node, none is held.
    for (int i = 0; i < REQUESTS && counted().get("reads_held") == 0; i++) {
      ResultSet rows =
          session.execute(multiget.bind(keys(i)).setTracing(true).setNode(node()).setPageSize(-1));
      check(rows, keys(i));
      info = rows.getExecutionInfo();
    }
    assertThat(counted().get("reads_held")).isPositive();
    ExecutionInfo held = info;
    Waiting.until("the trace names a read of another node", () -> namesARead(held));
    ended();
  }

  /** Nodes write traces later, and the driver soon gives up. */
  private static boolean namesARead(ExecutionInfo info) {
    try {
      return info.getQueryTrace().getEvents().stream()
          .anyMatch(event -> event.getActivity().contains("READ_REQ message"));
    } catch (IllegalStateException incomplete) {
      return false;
    }
  }

  @Test
  @Order(LAST)
  void shadowModeCountsAndHoldsNothing() {
    forecast(2_000);
    // By chance one of them may leave nothing to hold for long.
    for (int i = 0; i < REQUESTS; i++) {
      ask(multiget, DefaultConsistencyLevel.ONE, i);
    }
    assertThat(counted().get("reads_held")).isPositive();
    assertThat(counted().get("holds_shortened")).isPositive();
    assertThat(counted().get("holds_cut") + counted().get("holds_dropped")).isZero();
    assertThat(nodes.table(0, "manx.strategy", "value").get("holds.reads")).startsWith("0 of");
  }

  @Test
  @Order(1)
  void readsWaitUntilTheRateOfTheirNodeAllowsThem() throws Exception {
    nodes.set("document", RATED);
    nodes.set("mode", "on");
    long timeouts = nodes.timeouts();
    for (int i = 0; i < REQUESTS; i++) {
      ask(multiget, DefaultConsistencyLevel.ONE, i);
      ask(multiget, DefaultConsistencyLevel.QUORUM, i);
      ask(retried, DefaultConsistencyLevel.ONE, i);
    }
    try (CheckedLoad load = new CheckedLoad(session, multiget, KEYS)) {
      for (String mode : List.of("off", "on", "shadow", "on")) {
        nodes.set("mode", mode);
        load.go(20);
        nodes.set("document", HELD);
        load.go(20);
        nodes.set("document", RATED);
        load.go(20);
      }
      nodes.set("mode", "off");
      load.go(20);
      assertThat(load.errors()).isEmpty();
      assertThat(load.wrong()).isEmpty();
    }
    ended();
    System.out.println("reads held by rates: " + counted());
    assertThat(counted().get("reads_held")).isGreaterThan(REQUESTS);
    assertThat(counted().get("holds_refused")).isZero();
    assertThat(counted().get("faults")).isZero();
    assertThat(nodes.timeouts()).as("time-outs of messages").isEqualTo(timeouts);
  }

  @Test
  void offAndAnotherStrategyUnderLoadCostNoRead() {
    nodes.set("mode", "on");
    try (CheckedLoad load = new CheckedLoad(session, multiget, KEYS)) {
      Waiting.until("reads are held", () -> counted().get("reads_held") > 0);
      // It can happen that no read is held at the moment of a switch.
      for (int i = 0; i < MOST_ROUNDS && counted().get("holds_cut") == 0; i++) {
        for (String mode : List.of("off", "on", "shadow", "on")) {
          nodes.set("mode", mode);
          load.go(20);
          nodes.set("document", held(", longest-first: true, rank: brb-equalmax", FORECAST_MILLIS));
          load.go(20);
          nodes.set("document", HELD);
        }
        nodes.set("mode", "off");
      }
      load.go(20);
      assertThat(nodes.table(0, "manx.strategy", "value").get("holds.reads")).startsWith("0 of");
      long held = counted().get("reads_held");
      load.go(40);
      assertThat(counted().get("reads_held")).as("after off").isEqualTo(held);
      assertThat(load.errors()).isEmpty();
      assertThat(load.wrong()).isEmpty();
    }
    System.out.println("held reads under load, with switches: " + counted());
    assertThat(counted().get("holds_cut")).isPositive();
    assertThat(counted().get("faults")).isZero();
  }

  /** Makes reads wait for this time, independent of earlier reports of nodes. */
  private void forecast(int millis) {
    nodes.set("mode", "shadow");
    String expected = Units.duration(TimeUnit.MILLISECONDS.toNanos(millis));
    Waiting.until(
        "the forecast is the document's on all nodes",
        () -> {
          nodes.set("document", "strategy: {}");
          nodes.set("document", held("", millis));
          // Some ticks, each of which uses reports that are not too old.
          LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
          return IntStream.range(0, 3)
              .mapToObj(node -> nodes.table(node, "manx.strategy", "value").get("forecast.small"))
              .allMatch(expected::equals);
        });
  }

  private void ask(PreparedStatement statement, DefaultConsistencyLevel level, int request) {
    List<Integer> keys = keys(request);
    check(session.execute(statement.bind(keys).setConsistencyLevel(level).setNode(node())), keys);
  }

  private static List<Integer> keys(int request) {
    return IntStream.range(0, 7).map(i -> (request * 7 + i * 3) % KEYS).distinct().boxed().toList();
  }

  private static void check(ResultSet rows, List<Integer> keys) {
    assertThat(CheckedLoad.found(rows)).isEqualTo(CheckedLoad.right(keys));
  }

  private Node node() {
    return nodes.admin().nodes().get(0);
  }

  private Map<String, Long> counters() {
    Map<String, Long> counters = new TreeMap<>();
    nodes
        .table(0, "manx.counters", "value")
        .forEach((name, value) -> counters.put(name, Long.valueOf(value)));
    return counters;
  }

  private Map<String, Long> counted() {
    Map<String, Long> counted = new TreeMap<>();
    counters()
        .forEach(
            (name, value) -> {
              if (name.contains("held") || name.contains("hold") || name.equals("faults")) {
                counted.put(name, value - before.get(name));
              }
            });
    return counted;
  }

  private void ended() {
    Waiting.until(
        "nothing is held or outstanding",
        () ->
            nodes.table(0, "manx.strategy", "value").get("holds.reads").startsWith("0 of")
                && nodes.admin().rows(node(), "SELECT * FROM manx.replicas").stream()
                    .allMatch(row -> Integer.valueOf(0).equals(row.get("outstanding_reads"))));
  }

  private void snitch(boolean dynamic) throws Exception {
    OneNode.useSnitch(
        nodes.cluster().nodes().get(0), "org.apache.cassandra.locator.SimpleSnitch", dynamic, 1.0);
  }

  private boolean allTimed() throws Exception {
    for (int node = 0; node < 3; node++) {
      if (timings(ThreeNodes.address(node)).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  @SuppressWarnings("unchecked")
  private List<Double> timings(String host) throws Exception {
    return OneNode.<List<Double>>jmx(
        nodes.cluster().nodes().get(0),
        server -> {
          List<Double> all = new ArrayList<>();
          // A snitch that was in use before may still have its bean.
          for (ObjectName name :
              server.queryNames(
                  new ObjectName("org.apache.cassandra.db:type=DynamicEndpointSnitch,*"), null)) {
            all.addAll(
                (List<Double>)
                    server.invoke(
                        name,
                        "dumpTimings",
                        new Object[] {host},
                        new String[] {String.class.getName()}));
          }
          return all;
        });
  }
}
