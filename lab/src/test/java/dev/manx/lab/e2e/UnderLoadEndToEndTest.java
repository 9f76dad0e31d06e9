/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import javax.management.Attribute;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients in a closed loop check every row while nodes are switched, mixed and paused. */
@SharedNodes
@Timeout(300)
class UnderLoadEndToEndTest {
  private static final int KEYS = 300;
  private static final String MANX =
      """
      strategy:
        select: { policy: select.low }
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        facts: [pending-reads, service-time, work-ahead]
      """;

  // Time-outs of the nodes and the driver: those of requests to a paused node are waited for.
  private static final Duration IMPATIENT = Duration.ofSeconds(2);
  private static final int PAUSES = "1".equals(System.getenv("MANX_FULL")) ? 8 : 2;
  private static final int MOST_PAUSES = PAUSES + 4;

  private ThreeNodes nodes;
  private PreparedStatement multiget;

  @BeforeEach
  void fill(ThreeNodes fixture) {
    nodes = fixture;
    CqlSession session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS l"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS l.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    PreparedStatement insert = session.prepare("INSERT INTO l.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    multiget = session.prepare("SELECT k, v FROM l.t WHERE k IN ?");
    nodes.set("document", MANX);
  }

  @AfterEach
  void off() throws Exception {
    nodes.usualReadTimeout();
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void offByCqlJmxAndFileUnderLoadCostsNoRead() throws Exception {
    CheckedLoad load = new CheckedLoad(nodes.session().driver(), multiget, KEYS);
    try (load) {
      nodes.set("mode", "on");
      load.go(200);
      long begin = System.nanoTime();
      nodes.admin().execute(node(0), "UPDATE manx.strategy SET value = 'off' WHERE name = 'mode'");
      assertSoon("off by CQL under load", begin);
      assertOff(0);
      begin = System.nanoTime();
      offByJmx(1);
      assertSoon("off by JMX under load, connecting included", begin);
      assertOff(1);
      Path killFile = Path.of(nodes.table(2, "manx.strategy", "value").get("kill-file"));
      begin = System.nanoTime();
      Files.createFile(killFile);
      try {
        Waiting.until("off by file", () -> status(2).get("mode").equals("off"));
        assertSoon("off by file under load", begin);
        assertOff(2);
      } finally {
        Files.delete(killFile);
      }
      load.go(200);
      for (int i = 0; i < 20; i++) {
        nodes.set("mode", i % 2 == 0 ? "on" : i % 4 == 1 ? "off" : "shadow");
        load.go(20);
      }
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    assertNothingIsOutstanding();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void someOfThreeNodesWithManxAnswerRightly(int plugged) {
    CheckedLoad load = new CheckedLoad(nodes.session().driver(), multiget, KEYS);
    try (load) {
      for (int i = 0; i < plugged; i++) {
        nodes.admin().execute(node(i), "UPDATE manx.strategy SET value = 'on' WHERE name = 'mode'");
      }
      load.go(400);
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    assertThat(counter(0, "requests_planned")).isPositive();
    assertNothingIsOutstanding();
  }

  @Test
  void aPausedNodeCostsNoWrongRowAndNoErrorThatStockWouldNotMeet() throws Exception {
    Map<String, Map<String, Integer>> errors =
        Map.of("off", new TreeMap<>(), "on", new TreeMap<>());
    Map<String, Long> answered = new TreeMap<>();
    long[] faults = IntStream.range(0, 3).mapToLong(node -> counter(node, "faults")).toArray();
    nodes.readTimeout(IMPATIENT);
    // In so few pauses stock may miss an error that it can have, so it gets some more.
    for (int i = 0; i < PAUSES || i < MOST_PAUSES && !metByStock(errors); i++) {
      String mode = i < PAUSES && i % 2 == 1 ? "on" : "off";
      nodes.set("mode", mode);
      CheckedLoad load = paused(mode);
      assertThat(nodes.status("mode")).containsOnly(mode);
      assertThat(load.wrong()).isEmpty();
      answered.merge(mode, load.answered(), Long::sum);
      load.errors().forEach(e -> errors.get(mode).merge(kind(e), 1, Integer::sum));
    }
    System.out.printf("a paused node: answered %s, errors %s%n", answered, errors);
    assertThat(metByStock(errors)).as("stock meets each error: %s", errors).isTrue();
    for (int node = 0; node < 3; node++) {
      assertThat(counter(node, "faults")).isEqualTo(faults[node]);
    }
    assertNothingIsOutstanding();
  }

  private static boolean metByStock(Map<String, Map<String, Integer>> errors) {
    return errors.get("off").keySet().containsAll(errors.get("on").keySet());
  }

  /** Load while the third node is stopped by a signal and continued. */
  private CheckedLoad paused(String mode) throws Exception {
    CheckedLoad load = new CheckedLoad(nodes.session().driver(), impatient(), KEYS);
    long pid = nodes.cluster().pids()[2];
    try (load) {
      load.go(200);
      signal("-STOP", pid);
      try {
        long answered = load.answered();
        Waiting.until(
            "the others answer, and requests to the stopped one end",
            () -> load.answered() > answered + 50 && !load.errors().isEmpty());
      } finally {
        signal("-CONT", pid);
      }
      Waiting.until("node 3 is back", () -> isBackIn(mode));
      load.go(200);
    }
    return load;
  }

  private boolean isBackIn(String mode) {
    try {
      return status(2).get("mode").equals(mode);
    } catch (DriverException e) {
      // The driver has not yet noticed that it is back.
      return false;
    }
  }

  private PreparedStatement impatient() {
    SimpleStatement same = SimpleStatement.newInstance(multiget.getQuery());
    return nodes.session().driver().prepare(same.setTimeout(IMPATIENT));
  }

  /**
   * The error for a client, without numbers; it is random whether the client or Cassandra timed
   * out.
   */
  private static String kind(DriverException e) {
    return e instanceof DriverTimeoutException || e instanceof ReadTimeoutException
        ? "time-out"
        : e.getClass().getSimpleName() + ": " + e.getMessage().replaceAll("[0-9]+", "N");
  }

  /** Enough for a busy machine, and far less than a wait for a policy or a time-out. */
  private static void assertSoon(String what, long begin) {
    long millis = millis(begin);
    System.out.printf("%s: %d ms%n", what, millis);
    assertThat(millis).as(what).isLessThan(10_000);
  }

  private void assertOff(int node) {
    assertThat(status(node)).containsEntry("mode", "off");
    // The mode takes effect at once, before the hooks leave the path.
    Waiting.until(
        "the hooks are out of the path",
        () ->
            Set.copyOf(nodes.table(node, "manx.hooks", "state").values()).equals(Set.of("stock")));
  }

  private void assertNothingIsOutstanding() {
    for (int i = 0; i < 3; i++) {
      int node = i;
      Waiting.until(
          "nothing is outstanding at node " + (node + 1),
          () -> status(node).get("tickets.open").startsWith("0 of"));
      Tickets.awaitBalance(() -> nodes.table(node, "manx.counters", "value"));
    }
  }

  @SuppressWarnings("BanJNDI") // JMX on loopback is what is tested
  private void offByJmx(int node) throws Exception {
    String url =
        "service:jmx:rmi:///jndi/rmi://127.0.0.1:"
            + nodes.cluster().nodes().get(node).jmxPort()
            + "/jmxrmi";
    try (JMXConnector connector = JMXConnectorFactory.connect(new JMXServiceURL(url))) {
      connector
          .getMBeanServerConnection()
          .setAttribute(new ObjectName("dev.manx:type=Manx"), new Attribute("Mode", "off"));
    }
  }

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  private Map<String, String> status(int node) {
    return nodes.table(node, "manx.strategy", "value");
  }

  private long counter(int node, String name) {
    return Long.parseLong(nodes.table(node, "manx.counters", "value").get(name));
  }

  private static long millis(long begin) {
    return (System.nanoTime() - begin) / 1_000_000;
  }

  private static void signal(String signal, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor()).isZero();
  }
}
