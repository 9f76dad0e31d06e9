/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Second copies of late reads: of a slow and of a stopped replica, and switched off under load. */
@SharedNodes
@Timeout(300)
class CopiesEndToEndTest {
  private static final int KEYS = 300;
  private static final int SLOW = 2;
  private static final long SLOW_NANOS = 400_000_000;
  // Longer than a pause of a busy machine that delays a copy.
  private static final long STUCK_NANOS = 3_000_000_000L;
  private static final long USUAL_NANOS = 2_000_000;
  private static final int READS = 12;
  private static final long THREADS = 2;
  // The delay stays as it is until a class has a hundred reads.
  private static final String HEDGED =
      """
      strategy:
        select: select.stock
        fanout: { policy: fanout.hedged, first-delay: 30ms, budget: 1, burst: 1000 }
        facts: [work-ahead]
      """;

  private ThreeNodes nodes;
  private CqlSession session;
  private PreparedStatement single;
  private PreparedStatement multiget;
  private CopyCounts copies;

  @BeforeEach
  void fill(ThreeNodes fixture) {
    nodes = fixture;
    session = nodes.session().driver();
    session.execute(
        "CREATE KEYSPACE IF NOT EXISTS h"
            + " WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 3}");
    session.execute(
        "CREATE TABLE IF NOT EXISTS h.t (k int PRIMARY KEY, v int)"
            + " WITH memtable = 'modelled' AND speculative_retry = 'NONE'");
    PreparedStatement insert = session.prepare("INSERT INTO h.t (k, v) VALUES (?, ?)");
    CheckedLoad.fill(session, insert, KEYS);
    single = session.prepare("SELECT v FROM h.t WHERE k = ?");
    multiget = session.prepare("SELECT k, v FROM h.t WHERE k IN ?");
    nodes.set("document", HEDGED);
    copies = new CopyCounts(nodes, 0);
  }

  @AfterEach
  void off() {
    nodes.service(SLOW, USUAL_NANOS);
    nodes.set("mode", "off");
    nodes.set("document", "strategy: {}");
  }

  /** The two other nodes are off: their coordinator's copies are reads like any other to them. */
  @Test
  void aSlowReplicasReadsAreAnsweredByTheirCopies() throws Exception {
    nodes.set(0, "mode", "on");
    long timeouts = nodes.timeouts();
    nodes.service(SLOW, SLOW_NANOS);
    readAll(nodes.keysOf(SLOW, KEYS).subList(0, READS));
    Map<String, Long> counted = copies.counted();
    assertThat(counted.get("copies_won")).as("%s", counted).isGreaterThan(READS / 2);
    copies.haveEnded();
    // The end of a read is counted after it has ended.
    Waiting.until(
        "the slow node's own answers are counted",
        () -> copies.counted().get("copies_overtaken").equals(copies.counted().get("copies_won")));
    counted = copies.counted();
    System.out.println("copies of a slow replica's reads: " + counted);
    assertThat(counted.get("copies_overtaken"))
        .as("the slow node's own answers, dropped")
        .isEqualTo(counted.get("copies_won"));
    assertThat(nodes.timeouts()).as("time-outs of messages").isEqualTo(timeouts);
  }

  @Test
  void shadowModeCountsWhatItWouldSend() {
    nodes.set(0, "mode", "shadow");
    nodes.service(SLOW, SLOW_NANOS / 4);
    readAll(nodes.keysOf(SLOW, KEYS).subList(0, READS / 2));
    Map<String, Long> counted = copies.counted();
    assertThat(counted.get("copies_sent")).isPositive();
    assertThat(counted.get("copies_won") + counted.get("copies_wasted")).isZero();
    assertThat(nodes.table(0, "manx.strategy", "value").get("copies.under-way"))
        .startsWith("0 of ");
  }

  @Test
  void aStoppedReplicasReadsAreAnsweredWhileItIsStopped() throws Exception {
    nodes.set("mode", "on");
    long stopped = nodes.cluster().pids()[SLOW];
    signal("-STOP", stopped);
    try {
      readAll(nodes.keysOf(SLOW, KEYS).subList(0, READS));
    } finally {
      signal("-CONT", stopped);
    }
    assertThat(copies.counted().get("copies_won")).isGreaterThanOrEqualTo(READS);
    copies.haveEnded();
  }

  /** The coordinator itself is slow; its own reads go elsewhere, also those that have begun. */
  @Test
  void readsAtHomeAreAnsweredByTheirCopies() {
    CopyCounts atHome = new CopyCounts(nodes, SLOW);
    nodes.set(SLOW, "mode", "on");
    nodes.service(SLOW, STUCK_NANOS);
    Map<Integer, CompletionStage<AsyncResultSet>> reads = new TreeMap<>();
    for (int key : nodes.keysOf(SLOW, KEYS).subList(0, READS)) {
      reads.put(key, session.executeAsync(single.bind(key).setNode(node(SLOW))));
    }
    reads.forEach(
        (key, read) ->
            assertThat(read.toCompletableFuture().join().one().getInt("v"))
                .isEqualTo(CheckedLoad.value(key)));
    atHome.haveEnded();
    Map<String, Long> counted = atHome.counted();
    System.out.println("copies of reads at home: " + counted);
    assertThat(counted.get("copies_won")).isGreaterThan(THREADS);
    assertThat(counted.get("copies_overtaken"))
        .as("those that had begun; the others need not run at home")
        .isLessThanOrEqualTo(THREADS);
  }

  @Test
  void offUnderLoadCostsNoRead() {
    nodes.set("mode", "on");
    nodes.service(SLOW, SLOW_NANOS / 8);
    try (CheckedLoad load = new CheckedLoad(session, multiget, KEYS)) {
      Waiting.until("copies are sent", () -> copies.counted().get("copies_sent") > 0);
      for (String mode : List.of("off", "on", "shadow", "on", "off")) {
        nodes.set("mode", mode);
        load.go(20);
      }
      long sent = copies.counted().get("copies_sent");
      load.go(60);
      assertThat(copies.counted().get("copies_sent")).as("after off").isEqualTo(sent);
      assertThat(load.errors()).isEmpty();
      assertThat(load.wrong()).isEmpty();
    }
    for (int node = 0; node < 3; node++) {
      CopyCounts.awaitNoneUnderWay(nodes, node);
    }
    Map<String, Long> counted = copies.counted();
    System.out.println("copies under load, with switches: " + counted);
    assertThat(counted.get("faults")).isZero();
  }

  private void readAll(List<Integer> keys) {
    for (int key : keys) {
      assertThat(session.execute(single.bind(key).setNode(node(0))).one().getInt("v"))
          .isEqualTo(CheckedLoad.value(key));
    }
  }

  private Node node(int index) {
    return nodes.admin().nodes().get(index);
  }

  private static void signal(String signal, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", signal, Long.toString(pid)).start().waitFor()).isZero();
  }
}
