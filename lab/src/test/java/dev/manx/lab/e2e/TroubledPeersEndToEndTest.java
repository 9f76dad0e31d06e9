/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import com.datastax.oss.driver.api.core.servererrors.ReadFailureException;
import com.datastax.oss.driver.api.core.type.codec.TypeCodecs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
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

/**
 * One partition that fails, one slow node, one that sends garbage, under a load that is checked.
 */
@SharedNodes
@Timeout(300)
class TroubledPeersEndToEndTest {
  private static final int KEYS = 300;
  private static final int BAD_KEY = 1;
  private static final int DEFAULT_TOMBSTONES = 100_000;
  private static final String PARTS =
      """
        order: { policy: order.bottleneck }
        fanout: { policy: fanout.brb-equalmax, longest-first: true }
        facts: [pending-reads, service-time, work-ahead, slowness]
      """;
  private static final String MANX = "strategy:\n  select: { policy: select.low }\n" + PARTS;

  private ThreeNodes nodes;
  private CqlSession session;
  private PreparedStatement multiget;
  private long faults;
  private long excused;
  private long penalised;

  @BeforeEach
  void fill(ThreeNodes fixture) {
    nodes = fixture;
    session = nodes.session().driver();
    // With two replicas of three nodes, one node does not have the bad partition.
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS p"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 2}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS p.good (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
    session.execute("CREATE TABLE IF NOT EXISTS p.bad (k int, c int, PRIMARY KEY (k, c))");
    PreparedStatement insert = session.prepare("INSERT INTO p.good (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    multiget = session.prepare("SELECT k, v FROM p.good WHERE k IN ?");
    nodes.set("document", MANX);
    nodes.set("mode", "on");
    faults = counted("faults");
    excused = counted("failures_excused");
    penalised = counted("failures_penalised");
  }

  @AfterEach
  void off() {
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  @Test
  void aPartitionThatFailsDrivesNoReadsAwayFromItsReplicas() throws Exception {
    for (int c = 0; c < 40; c++) {
      session.execute(
          SimpleStatement.newInstance("DELETE FROM p.bad WHERE k = ? AND c = ?", BAD_KEY, c)
              .setConsistencyLevel(DefaultConsistencyLevel.ALL));
    }
    tombstones(20);
    try (CheckedLoad load = new CheckedLoad(session, multiget, KEYS)) {
      load.go(100);
      double[] before = shares(load);
      AtomicLong failed = new AtomicLong();
      List<Thread> failing = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        failing.add(new Thread(() -> fail(failed)));
      }
      failing.forEach(Thread::start);
      double[] during;
      try {
        // If they counted against the nodes, they would have accumulated for the time of a read's
        // time-out.
        Waiting.until("many have failed", () -> failed.get() >= 1_000);
        during = shares(load);
      } finally {
        failing.forEach(Thread::interrupt);
        for (Thread thread : failing) {
          thread.join();
        }
      }
      System.out.printf(
          "shares of good reads: %s without failures, %s with %d failing reads%n",
          Arrays.toString(before), Arrays.toString(during), failed.get());
      Set<Node> replicas =
          session
              .getMetadata()
              .getTokenMap()
              .orElseThrow()
              .getReplicas(
                  "p", TypeCodecs.INT.encode(BAD_KEY, session.getContext().getProtocolVersion()));
      assertThat(replicas).hasSize(2);
      for (int node = 0; node < 3; node++) {
        if (replicas.contains(node(node))) {
          // About a third of the reads without failures. A node that is avoided serves less than a
          // tenth.
          assertThat(during[node])
              .as("share of node %d, which has the bad partition", node + 1)
              .isGreaterThan(Math.min(0.2, 0.6 * before[node]));
        }
      }
      assertThat(load.wrong()).isEmpty();
      assertThat(load.errors()).isEmpty();
    } finally {
      tombstones(DEFAULT_TOMBSTONES);
    }
    assertThat(counted("failures_excused")).isGreaterThan(excused);
    assertThat(counted("failures_penalised")).isEqualTo(penalised);
    assertNothingIsOutstanding();
  }

  private void fail(AtomicLong failed) {
    SimpleStatement statement =
        SimpleStatement.newInstance("SELECT * FROM p.bad WHERE k = ?", BAD_KEY)
            .setIdempotent(false);
    while (!Thread.currentThread().isInterrupted()) {
      try {
        session.execute(statement);
        throw new IllegalStateException("a read of tombstones was answered");
      } catch (ReadFailureException e) {
        failed.incrementAndGet();
      } catch (com.datastax.oss.driver.api.core.DriverException e) {
        // The driver wraps an interrupt.
        if (!Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
  }

  /** The part of the load's next reads that each node served. */
  private double[] shares(CheckedLoad load) {
    long[] before = served();
    load.go(600);
    long[] after = served();
    double[] shares = IntStream.range(0, 3).mapToDouble(i -> after[i] - before[i]).toArray();
    double all = Arrays.stream(shares).sum();
    return Arrays.stream(shares).map(share -> share / all).toArray();
  }

  private long[] served() {
    return IntStream.range(0, 3)
        .mapToLong(
            node ->
                (Long)
                    nodes
                        .admin()
                        .rows(
                            node(node),
                            "SELECT count FROM system_views.local_read_latency"
                                + " WHERE keyspace_name = 'p' AND table_name = 'good'")
                        .get(0)
                        .get("count"))
        .toArray();
  }

  @Test
  void aSlowNodeServesLessAndLosesNothing() {
    int slow = 2;
    CheckedLoad load = new CheckedLoad(session, multiget, KEYS);
    double[] before;
    double[] during;
    try (load) {
      load.go(100);
      before = shares(load);
      model(slow, 20_000_000);
      during = shares(load);
    } finally {
      model(slow, 2_000_000);
    }
    System.out.printf(
        "shares of reads: %s, %s with node %d ten times as slow%n",
        Arrays.toString(before), Arrays.toString(during), slow + 1);
    // Ten times as slow, it serves less than a quarter of its share.
    assertThat(during[slow]).isLessThan(0.5 * before[slow]);
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    assertThat(counted("faults")).isEqualTo(faults);
    assertNothingIsOutstanding();
  }

  private void model(int node, long baseNanos) {
    nodes
        .admin()
        .execute(
            node(node),
            "UPDATE manx_lab.service_model SET value = ? WHERE name = 'base_nanos'",
            baseNanos);
  }

  @Test
  void garbageInPlaceOfTagsAndFactsIsIgnored() {
    String garbling = "strategy:\n  select: { policy: select.garbling, garbles: %s }\n" + PARTS;
    int source = 2;
    nodes.admin().execute(node(source), update("document"), garbling.formatted(true));
    long[] ignored = ignored();
    CheckedLoad load = new CheckedLoad(session, multiget, KEYS);
    try (load) {
      load.go(800);
    } finally {
      nodes.admin().execute(node(source), update("document"), garbling.formatted(false));
    }
    assertThat(load.wrong()).isEmpty();
    assertThat(load.errors()).isEmpty();
    long[] now = ignored();
    System.out.printf(
        "%d tags and %d facts of a garbling node were ignored%n",
        now[0] - ignored[0], now[1] - ignored[1]);
    assertThat(now[0]).as("tags").isGreaterThan(ignored[0]);
    assertThat(now[1]).as("facts").isGreaterThan(ignored[1]);
    for (int node = 0; node < 3; node++) {
      assertThat(status(node)).containsEntry("mode", "on").containsEntry("breaker", "closed");
    }
    assertThat(counted("faults")).isEqualTo(faults);
    assertNothingIsOutstanding();
  }

  private static String update(String name) {
    return "UPDATE manx.strategy SET value = ? WHERE name = '" + name + "'";
  }

  /** Tags and facts that the two healthy nodes ignored. */
  private long[] ignored() {
    return new long[] {
      counter(0, "tags_ignored") + counter(1, "tags_ignored"),
      counter(0, "facts_ignored") + counter(1, "facts_ignored")
    };
  }

  private void assertNothingIsOutstanding() {
    for (int i = 0; i < 3; i++) {
      int node = i;
      Waiting.until(
          "nothing is outstanding at node " + (node + 1),
          () -> status(node).get("tickets.open").startsWith("0 of"));
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

  private long counted(String name) {
    return IntStream.range(0, 3).mapToLong(node -> counter(node, name)).sum();
  }

  @SuppressWarnings("BanJNDI") // JMX on loopback
  private void tombstones(int most) throws Exception {
    for (var each : nodes.cluster().nodes()) {
      JMXServiceURL url =
          new JMXServiceURL(
              "service:jmx:rmi:///jndi/rmi://127.0.0.1:" + each.jmxPort() + "/jmxrmi");
      try (JMXConnector connector = JMXConnectorFactory.connect(url)) {
        connector
            .getMBeanServerConnection()
            .setAttribute(
                new ObjectName("org.apache.cassandra.db:type=StorageService"),
                new Attribute("TombstoneFailureThreshold", most));
      }
    }
  }
}
