/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import javax.management.Attribute;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tied copies: reads that wait at a slow replica are passed on, peers that are stopped cost no
 * read, and switches under load cost none.
 */
@SharedNodes
@Timeout(300)
class TiedEndToEndTest {
  private static final int KEYS = 300;
  private static final int SLOW = 2;
  private static final long SLOW_NANOS = 400_000_000;
  // Longer than a pause of a busy machine that delays the peers' copies.
  private static final long STUCK_NANOS = 1_800_000_000;
  private static final long USUAL_NANOS = 2_000_000;
  private static final int READS = 16;
  private static final int TOMBSTONES = 10;
  private static final int USUAL_TOMBSTONES = 100_000;
  // Short ones: on a busy machine a read waits for a core in many of them.
  private static final int MOST_ATTEMPTS = 100;
  private static final String TIED =
      """
      strategy:
        select: select.stock
        fanout: { policy: fanout.tied, sender: replica, stagger: 5ms, most-in-vain: 50%, most-cores: 100% }
        facts: [work-ahead]
      """;

  private ThreeNodes nodes;
  private CqlSession session;
  private Map<String, Long> before;

  @BeforeEach
  void begin(ThreeNodes fixture) {
    nodes = fixture;
    session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS ti"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    nodes.set("document", TIED);
    nodes.set("mode", "on");
  }

  @AfterEach
  void off() {
    nodes.service(SLOW, USUAL_NANOS);
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  private String table(String speculativeRetry) {
    String name = "ti.t_" + speculativeRetry.replace("99p", "p99").toLowerCase(Locale.ROOT);
    session.execute(
        "CREATE TABLE IF NOT EXISTS "
            + name
            + " (k int PRIMARY KEY, v int) WITH memtable = 'modelled' AND speculative_retry = '"
            + speculativeRetry
            + "'");
    PreparedStatement insert = session.prepare("INSERT INTO " + name + " (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    return name;
  }

  private PreparedStatement single(String table) {
    return session.prepare("SELECT v FROM " + table + " WHERE k = ?");
  }

  /** Waits until a read of the slow node through a coordinator is offered to its peer. */
  private void awaitPartners(PreparedStatement single, int coordinator) {
    List<Integer> keys = nodes.keysOf(SLOW, KEYS);
    before = sums();
    Waiting.until(
        "the nodes know each other",
        () -> {
          readAll(single, keys.subList(0, READS), coordinator, statement -> statement);
          return counted("copies_offered") > 0;
        });
    before = sums();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "99p"})
  void readsThatWaitAtASlowReplicaAreAnsweredByTheirCopies(String speculativeRetry)
      throws Exception {
    PreparedStatement single = single(table(speculativeRetry));
    awaitPartners(single, 0);
    long timeouts = timeouts();
    nodes.service(SLOW, STUCK_NANOS);
    readAll(single, nodes.keysOf(SLOW, KEYS).subList(0, READS), 0, statement -> statement);
    haveEndedWithoutSwitch();
    System.out.println("tied copies beside speculative_retry " + speculativeRetry + ": " + all());
    if (speculativeRetry.equals("NONE")) {
      assertThat(counted("copies_won")).as("%s", all()).isGreaterThan(READS / 2);
      assertThat(counted("reads_ceded")).isGreaterThanOrEqualTo(counted("copies_won"));
    }
    assertThat(timeouts()).as("time-outs of messages").isEqualTo(timeouts);
  }

  /** Without it {@code most-cores} would bound nothing. */
  @Test
  void nodesReportTheirBusyCores() {
    nodes.set("document", "strategy: manx-tied");
    Waiting.until(
        "every node has measured its cores",
        () -> nodes.admin().nodes().stream().allMatch(this::knowsCores));
  }

  private boolean knowsCores(Node node) {
    return nodes.admin().rows(node, "SELECT cores_in_use FROM manx.replicas").stream()
        .anyMatch(row -> row.get("cores_in_use") instanceof Long share && share > 0);
  }

  @Test
  void readsThatWaitAtHomeAreAnsweredByTheirCopies() throws Exception {
    PreparedStatement single = single(table("NONE"));
    awaitPartners(single, 0);
    // What the first node knows of its peers the slow one may learn later.
    awaitPartners(single, SLOW);
    long timeouts = timeouts();
    nodes.service(SLOW, STUCK_NANOS);
    readAll(single, nodes.keysOf(SLOW, KEYS).subList(0, READS), SLOW, statement -> statement);
    haveEndedWithoutSwitch();
    System.out.println("tied copies of reads that waited at home: " + all());
    assertThat(counted("copies_won")).as("%s", all()).isGreaterThan(READS / 4);
    assertThat(timeouts()).isEqualTo(timeouts);
  }

  /** To Cassandra an aborted read is an answer, and the client's read would fail by it. */
  @Test
  void copiesThatTheirReplicasAbortFailNoRead() throws Exception {
    session.execute(
        "CREATE TABLE IF NOT EXISTS ti.deleted (k int, c int, v int, PRIMARY KEY (k, c))"
            + " WITH memtable = 'modelled' AND speculative_retry = 'NONE'");
    List<Integer> keys = nodes.keysOf(SLOW, KEYS).subList(0, READS);
    for (int key : keys) {
      nodes.write("INSERT INTO ti.deleted (k, c, v) VALUES (?, 0, ?)", key, CheckedLoad.value(key));
      for (int c = 1; c <= TOMBSTONES; c++) {
        nodes.write("DELETE FROM ti.deleted WHERE k = ? AND c = ?", key, c);
      }
    }
    PreparedStatement single = session.prepare("SELECT v FROM ti.deleted WHERE k = ?");
    awaitPartners(single, 0);
    nodes.service(SLOW, SLOW_NANOS / 4);
    try {
      abortsAbove(TOMBSTONES / 2, true);
      readAll(single, keys, 0, statement -> statement);
    } finally {
      abortsAbove(USUAL_TOMBSTONES, false);
    }
    haveEndedWithoutSwitch();
    System.out.println("tied copies that their replicas aborted: " + all());
    assertThat(counted("copies_failed")).as("%s", all()).isPositive();
    assertThat(counted("copies_won")).as("%s", all()).isZero();
  }

  /**
   * Sets the number of tombstones above which the nodes other than the slow one abort a read, and
   * whether they report that in their answer rather than by a failure.
   */
  private void abortsAbove(int tombstones, boolean inAnswer) throws Exception {
    ObjectName storage = new ObjectName("org.apache.cassandra.db:type=StorageService");
    for (var node : nodes.cluster().nodes().subList(0, SLOW)) {
      OneNode.<Object>jmx(
          node,
          server -> {
            server.setAttribute(storage, new Attribute("TombstoneFailureThreshold", tombstones));
            server.setAttribute(storage, new Attribute("ReadThresholdsEnabled", inAnswer));
            return null;
          });
    }
  }

  @Test
  void aPeerThatIsStoppedCostsNoRead() throws Exception {
    PreparedStatement single = single(table("NONE"));
    awaitPartners(single, 0);
    nodes.service(SLOW, SLOW_NANOS / 8);
    long stopped = nodes.cluster().pids()[1];
    signal("-STOP", stopped);
    try {
      readAll(single, nodes.keysOf(SLOW, KEYS).subList(0, READS), 0, statement -> statement);
    } finally {
      signal("-CONT", stopped);
    }
    haveEndedWithoutSwitch();
    System.out.println("tied copies with a peer stopped: " + all());
    assertThat(counted("copies_passed_on")).as("%s", all()).isPositive();
  }

  @Test
  void readsOfTwoAnswersAndTracedOnesAreNotOffered() throws Exception {
    PreparedStatement single = single(table("NONE"));
    awaitPartners(single, 0);
    List<Integer> keys = nodes.keysOf(SLOW, KEYS).subList(0, READS);
    readAll(
        single,
        keys,
        0,
        statement -> statement.setConsistencyLevel(DefaultConsistencyLevel.QUORUM));
    readAll(single, keys, 0, statement -> statement.setTracing(true));
    haveEndedWithoutSwitch();
    assertThat(counted("copies_offered")).as("%s", all()).isZero();
    assertThat(counted("copies_ineligible")).isGreaterThanOrEqualTo(2L * READS);
    readAll(
        single,
        keys,
        0,
        statement -> statement.setConsistencyLevel(DefaultConsistencyLevel.LOCAL_ONE));
    assertThat(counted("copies_offered")).isPositive();
  }

  @Test
  void switchesUnderLoadCostNoRead() throws Exception {
    String table = table("NONE");
    PreparedStatement multiget = session.prepare("SELECT k, v FROM " + table + " WHERE k IN ?");
    awaitPartners(single(table), 0);
    nodes.service(SLOW, SLOW_NANOS / 16);
    try (CheckedLoad load = new CheckedLoad(session, multiget, KEYS)) {
      Waiting.until("copies are passed on", () -> counted("copies_passed_on") > 0);
      for (String mode : List.of("off", "on", "shadow", "on", "off", "on")) {
        nodes.set("mode", mode);
        load.go(20);
      }
      for (String mode : List.of("off", "shadow", "on")) {
        // One of three is without Manx, or in another mode.
        nodes.set(1, "mode", mode);
        load.go(40);
      }
      nodes.set("mode", "off");
      long passedOn = counted("copies_passed_on");
      load.go(60);
      assertThat(counted("copies_passed_on")).as("after off").isEqualTo(passedOn);
      assertThat(load.errors()).isEmpty();
      assertThat(load.wrong()).isEmpty();
    }
    haveEnded();
    System.out.println("tied copies under load, with switches: " + all());
  }

  @Test
  void aNodeThatServesAllReadsAtOncePassesNoneOn() {
    PreparedStatement single = single(table("NONE"));
    awaitPartners(single, 0);
    // Where other work holds the cores, a read may wait for one: then all are sent again.
    for (int i = 0; i < MOST_ATTEMPTS; i++) {
      before = sums();
      for (int key : nodes.keysOf(SLOW, KEYS).subList(0, READS)) {
        read(single.bind(key).setNode(node(0)), key);
      }
      if (counted("order_queued") == 0 || counted("copies_passed_on") == 0) {
        break;
      }
    }
    assertThat(counted("copies_offered")).isPositive();
    assertThat(counted("copies_passed_on")).isZero();
  }

  private static void read(CompletionStage<AsyncResultSet> read, int key) {
    assertThat(read.toCompletableFuture().join().one().getInt("v"))
        .isEqualTo(CheckedLoad.value(key));
  }

  private void read(BoundStatement statement, int key) {
    read(session.executeAsync(statement), key);
  }

  /** All at once, through one node. */
  private void readAll(
      PreparedStatement single,
      List<Integer> keys,
      int coordinator,
      UnaryOperator<BoundStatement> how) {
    Map<Integer, CompletionStage<AsyncResultSet>> reads = new TreeMap<>();
    for (int key : keys) {
      BoundStatement statement = single.bind(key).setNode(node(coordinator));
      reads.put(key, session.executeAsync(how.apply(statement)));
    }
    reads.forEach((key, read) -> read(read, key));
  }

  /** Copies win only where they started; while nodes switch, one that is off may run them. */
  private void haveEndedWithoutSwitch() {
    haveEnded();
    assertThat(counted("copies_started")).isGreaterThanOrEqualTo(counted("copies_won"));
  }

  /** Waits until no read is outstanding, and checks that the counts of copies add up. */
  private void haveEnded() {
    for (int node = 0; node < 3; node++) {
      Node coordinator = node(node);
      int index = node;
      Waiting.until(
          "nothing is outstanding",
          () ->
              nodes.admin().rows(coordinator, "SELECT * FROM manx.replicas").stream()
                      .allMatch(row -> Integer.valueOf(0).equals(row.get("outstanding_reads")))
                  && nodes
                      .table(index, "manx.strategy", "value")
                      .get("copies.offered")
                      .startsWith("0 "));
    }
    Waiting.until(
        "each read passed on starts here or there: " + all(),
        () -> counted("copies_passed_on") >= counted("reads_ceded") + counted("copies_recalled"));
    assertThat(counted("copies_passed_on"))
        .as("%s", all())
        .isGreaterThanOrEqualTo(counted("copies_started"));
    assertThat(counted("copies_passed_on"))
        .as("%s", all())
        .isGreaterThanOrEqualTo(counted("copies_won"));
    assertThat(counted("faults")).isZero();
  }

  private Map<String, Long> sums() {
    Map<String, Long> sums = new TreeMap<>();
    for (int node = 0; node < 3; node++) {
      nodes
          .table(node, "manx.counters", "value")
          .forEach((name, value) -> sums.merge(name, Long.parseLong(value), Long::sum));
    }
    return sums;
  }

  /** Of all nodes, since the start of the test's part. */
  private long counted(String name) {
    return sums().get(name) - before.get(name);
  }

  private Map<String, Long> all() {
    Map<String, Long> counted = new TreeMap<>();
    sums()
        .forEach(
            (name, sum) -> {
              if (name.startsWith("copies_") || name.equals("reads_ceded")) {
                counted.put(name, sum - before.get(name));
              }
            });
    return counted;
  }

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  /** Callbacks of messages between nodes that expired, at all nodes. */
  private long timeouts() throws Exception {
    long sum = 0;
    for (var node : nodes.cluster().nodes()) {
      sum +=
          OneNode.<Long>jmx(
              node,
              server ->
                  (Long)
                      server.getAttribute(
                          new ObjectName(
                              "org.apache.cassandra.metrics:type=Connection,name=TotalTimeouts"),
                          "Count"));
    }
    return sum;
  }

  private static void signal(String signal, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor()).isZero();
  }
}
