/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Clients of both datacenters at once while Manx acts in one of them. Each datacenter's clients
 * have a separate table, so that each table's reads come from coordinators of one datacenter.
 */
final class OneDatacenterOn {
  private static final List<String> TABLES = List.of("one", "two");
  private static final int REQUESTS = 60;

  private final TwoDatacenters nodes;

  OneDatacenterOn(TwoDatacenters nodes) {
    this.nodes = nodes;
  }

  /** Makes both tables and fills them on all four nodes. */
  void fill() {
    for (String table : TABLES) {
      CqlSession session = nodes.session();
      session.execute(
          "CREATE TABLE IF NOT EXISTS dc.%s (k int PRIMARY KEY, v int)".formatted(table)
              + " WITH memtable = 'modelled' AND speculative_retry = 'NEVER'");
      PreparedStatement insert =
          session.prepare("INSERT INTO dc." + table + " (k, v) VALUES (?, ?)");
      CheckedLoad.fill(session, insert, TwoDatacenters.KEYS);
    }
  }

  /** Reads of a table that the nodes of each datacenter served. */
  private long[] served(String table) {
    return new long[] {
      nodes.reads(table, 0) + nodes.reads(table, 1), nodes.reads(table, 2) + nodes.reads(table, 3)
    };
  }

  /**
   * Loads both, and checks every row and the targets of the reads.
   *
   * @param acting the datacenter whose nodes are on, 0 or 1
   */
  void load(int acting, DefaultConsistencyLevel level) {
    for (int node = 0; node < 4; node++) {
      nodes.set(node, "mode", node / 2 == acting ? "on" : "off");
    }
    long[] planned = planned();
    long[][] before = {served(TABLES.get(0)), served(TABLES.get(1))};
    CheckedLoad one = clients(0, level);
    CheckedLoad two = clients(1, level);
    try (one;
        two) {
      one.go(REQUESTS);
      two.go(REQUESTS);
    }
    for (CheckedLoad load : List.of(one, two)) {
      assertThat(load.wrong()).isEmpty();
      assertThat(load.errors()).isEmpty();
    }
    for (int from = 0; from < 2; from++) {
      long[] after = served(TABLES.get(from));
      long home = after[from] - before[from][from];
      long away = after[1 - from] - before[from][1 - from];
      System.out.printf(
          "Manx on in datacenter %d, by way of %d at %s: %d reads at home, %d away%n",
          acting + 1, from + 1, level, home, away);
      assertThat(away).as("away from %d at %s", from + 1, level).isEqualTo(away(level, home));
      assertThat(home).isPositive();
    }
    boolean plans = level != DefaultConsistencyLevel.EACH_QUORUM;
    long[] now = planned();
    assertThat(now[acting] > planned[acting]).as("planned at " + level).isEqualTo(plans);
    assertThat(now[1 - acting]).as("planned where it is off").isEqualTo(planned[1 - acting]);
    assertNothingIsOutstanding(acting);
  }

  /**
   * Requests of a level that are answered by way of each datacenter in some seconds.
   *
   * @param acting the datacenter whose nodes are on, 0 or 1; none for -1
   */
  long[] answered(int acting, DefaultConsistencyLevel level, int seconds)
      throws InterruptedException {
    for (int node = 0; node < 4; node++) {
      nodes.set(node, "mode", node / 2 == acting ? "on" : "off");
    }
    CheckedLoad one = clients(0, level);
    CheckedLoad two = clients(1, level);
    try (one;
        two) {
      one.go(REQUESTS);
      two.go(REQUESTS);
      if (acting >= 0 && away(level, 2) > 0) {
        awaitPagedMultigets(acting);
      }
      long before = one.answered();
      long beforeTwo = two.answered();
      // The window of the measurement.
      TimeUnit.SECONDS.sleep(seconds);
      return new long[] {one.answered() - before, two.answered() - beforeTwo};
    }
  }

  /** Nodes leave multigets paged once they know nodes without Manx that answer their reads. */
  private void awaitPagedMultigets(int acting) {
    for (int i = 2 * acting; i < 2 * acting + 2; i++) {
      int node = i;
      long before = nodes.counter(node, "multigets_left_paged");
      Waiting.until(
          "node " + (node + 1) + " leaves multigets paged",
          () -> nodes.counter(node, "multigets_left_paged") > before);
    }
  }

  private CheckedLoad clients(int datacenter, DefaultConsistencyLevel level) {
    CqlSession session = nodes.session(datacenter);
    PreparedStatement multiget =
        session.prepare(
            SimpleStatement.newInstance(
                    "SELECT k, v FROM dc." + TABLES.get(datacenter) + " WHERE k IN ?")
                .setConsistencyLevel(level));
    return new CheckedLoad(session, multiget, TwoDatacenters.KEYS);
  }

  /**
   * Two replicas in each datacenter: the reads that a consistency level needs from the other one.
   */
  private static long away(DefaultConsistencyLevel level, long home) {
    return switch (level) {
      case LOCAL_ONE, LOCAL_QUORUM -> 0;
      case QUORUM -> home / 2;
      default -> home;
    };
  }

  private long[] planned() {
    return new long[] {
      nodes.counter(0, "requests_planned") + nodes.counter(1, "requests_planned"),
      nodes.counter(2, "requests_planned") + nodes.counter(3, "requests_planned")
    };
  }

  private void assertNothingIsOutstanding(int datacenter) {
    for (int i = 2 * datacenter; i < 2 * datacenter + 2; i++) {
      int node = i;
      Waiting.until(
          "nothing is outstanding at node " + (node + 1),
          () ->
              nodes
                  .at(node, "SELECT value FROM manx.strategy WHERE name = 'tickets.open'")
                  .one()
                  .getString("value")
                  .startsWith("0 of"));
      Tickets.awaitBalance(() -> nodes.counters(node));
      assertThat(nodes.counter(node, "faults")).isZero();
    }
  }
}
