/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BatchStatement;
import com.datastax.oss.driver.api.core.cql.DefaultBatchType;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.cql.Statement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Tables on three nodes whose third replica of every key missed the changes, which were made while
 * the keyspace had two replicas. Each table is there twice, once for stock and once for Manx; the
 * keys are the same, so that the replicas are. One thread.
 */
final class StaleTables {
  /** The tables that are read with Manx off, and those that are read with it on. */
  static final List<String> SIDES = List.of("off", "on");

  /** What happens to a partition is its key modulo this and the number of the round. */
  static final int KINDS = 14;

  private static final Set<Integer> DELETED_RANGES = Set.of(7, 8);

  private static final int ROWS = 4;
  private static final int MOST_IN_FLIGHT = 128;
  private static final int LAST = -1;

  private final CqlSession session;
  private final int keys;
  private final List<CompletionStage<AsyncResultSet>> sent = new ArrayList<>();
  private long micros = 1_000;

  /**
   * @param keys they are below this
   */
  StaleTables(CqlSession session, int keys) {
    this.session = session;
    this.keys = keys;
  }

  void create() {
    replicas("CREATE", 3);
    for (String side : SIDES) {
      // The model makes reads slow enough that some wait.
      session.execute(
          "CREATE TABLE stale.plain_%s (k int PRIMARY KEY, v text, n int)".formatted(side)
              + " WITH memtable = 'modelled' AND speculative_retry = 'NEVER'");
      session.execute(
          "CREATE TABLE stale.wide_%s (k int, c int, v text, m map<int, text>, s int static,"
                  .formatted(side)
              + " PRIMARY KEY (k, c)) WITH speculative_retry = 'NEVER'");
    }
  }

  private void replicas(String verb, int count) {
    session.execute(
        verb
            + " KEYSPACE stale WITH replication = {'class': 'NetworkTopologyStrategy', 'datacenter1': "
            + count
            + "}");
  }

  /** Fills all replicas alike, and then lets the third one of every key miss the changes. */
  void disagree(int round) {
    micros += 1_000_000;
    for (String side : SIDES) {
      for (int k = 0; k < keys; k++) {
        fill(side, k, (k + round) % KINDS);
      }
    }
    done();
    replicas("ALTER", 2);
    micros += 1_000_000;
    for (String side : SIDES) {
      for (int k = 0; k < keys; k++) {
        change(side, k, (k + round) % KINDS);
      }
    }
    done();
    send(write("INSERT INTO stale.plain_on (k, v) VALUES (?, 'last') USING TTL 1", LAST));
    done();
    replicas("ALTER", 3);
    Statement<?> last =
        write("SELECT v FROM stale.plain_on WHERE k = ?", LAST)
            .setConsistencyLevel(DefaultConsistencyLevel.ALL);
    Waiting.until("what expires has expired", () -> session.execute(last).one() == null);
  }

  private void fill(String side, int k, int kind) {
    // Data of an earlier round must be deleted on all replicas, and some keys are new to one.
    send(at(micros, "DELETE FROM stale.plain_" + side + " USING TIMESTAMP ? WHERE k = ?", k));
    send(at(micros, "DELETE FROM stale.wide_" + side + " USING TIMESTAMP ? WHERE k = ?", k));
    if (kind == 0) {
      return;
    }
    String by = " USING TIMESTAMP " + (micros + 1);
    send(write("INSERT INTO stale.plain_" + side + " (k, v, n) VALUES (?, 'old', 1)" + by, k));
    List<SimpleStatement> rows = new ArrayList<>();
    for (int c = 0; c < ROWS; c++) {
      rows.add(
          write(
              "INSERT INTO stale.wide_%s (k, c, v, m, s) VALUES (?, ?, ?, {1: 'a', 2: 'b'}, 7)"
                      .formatted(side)
                  + by,
              k,
              c,
              "old" + c));
    }
    send(BatchStatement.newInstance(DefaultBatchType.UNLOGGED, List.copyOf(rows)));
  }

  private void change(String side, int k, int kind) {
    String wide = "stale.wide_" + side;
    String plain = "stale.plain_" + side;
    String by = " USING TIMESTAMP " + micros;
    String later = " USING TIMESTAMP " + (micros + 1);
    switch (kind) {
      case 0 -> {
        send(write("INSERT INTO " + plain + " (k, v, n) VALUES (?, 'new', 2)" + by, k));
        send(write("INSERT INTO " + wide + " (k, c, v, s) VALUES (?, 1, 'new', 8)" + by, k));
      }
      case 1 -> {
        send(write("DELETE FROM " + plain + by + " WHERE k = ?", k));
        send(write("DELETE FROM " + wide + by + " WHERE k = ?", k));
      }
      case 2 -> {
        send(write("UPDATE " + plain + by + " SET v = 'new' WHERE k = ?", k));
        send(write("UPDATE " + wide + by + " SET v = 'new' WHERE k = ? AND c = 2", k));
      }
      case 3 -> {
        send(write("DELETE v FROM " + plain + by + " WHERE k = ?", k));
        send(write("DELETE v FROM " + wide + by + " WHERE k = ? AND c = 0", k));
      }
      case 4 -> {
        String brief = by + " AND TTL 1";
        send(write("INSERT INTO " + plain + " (k, v, n) VALUES (?, 'brief', 3)" + brief, k));
        send(write("INSERT INTO " + wide + " (k, c, v) VALUES (?, 1, 'brief')" + brief, k));
        send(write("UPDATE " + wide + brief + " SET s = 5 WHERE k = ?", k));
      }
      case 5 -> {
        // It deletes the old data, and then new data is written.
        send(write("DELETE FROM " + plain + by + " WHERE k = ?", k));
        send(write("UPDATE " + plain + later + " SET n = 4 WHERE k = ?", k));
        send(write("DELETE FROM " + wide + by + " WHERE k = ?", k));
        send(write("INSERT INTO " + wide + " (k, c, v) VALUES (?, 2, 'again')" + later, k));
      }
      case 6 -> send(write("DELETE FROM " + wide + by + " WHERE k = ? AND c = 1", k));
      case 7 -> send(write("DELETE FROM " + wide + by + " WHERE k = ? AND c > 1", k));
      case 8 -> {
        send(write("DELETE FROM " + wide + by + " WHERE k = ? AND c >= 0 AND c < 3", k));
        send(write("INSERT INTO " + wide + " (k, c, v) VALUES (?, 1, 'new')" + later, k));
      }
      case 9 -> send(write("INSERT INTO " + wide + " (k, c, v) VALUES (?, 9, 'new')" + by, k));
      case 10 -> send(write("UPDATE " + wide + by + " SET s = 9 WHERE k = ?", k));
      case 11 -> send(write("DELETE s FROM " + wide + by + " WHERE k = ?", k));
      case 12 -> {
        send(write("UPDATE " + wide + by + " SET m = {3: 'c'} WHERE k = ? AND c = 0", k));
        send(write("DELETE m[1] FROM " + wide + by + " WHERE k = ? AND c = 3", k));
      }
      default -> {
        // The replicas agree.
      }
    }
  }

  private static SimpleStatement at(long micros, String cql, int k) {
    return SimpleStatement.newInstance(cql, micros, k);
  }

  private static SimpleStatement write(String cql, Object... values) {
    return SimpleStatement.newInstance(cql, values);
  }

  private void send(Statement<?> write) {
    if (sent.size() == MOST_IN_FLIGHT) {
      done();
    }
    sent.add(session.executeAsync(write.setConsistencyLevel(DefaultConsistencyLevel.ALL)));
  }

  private void done() {
    sent.forEach(each -> each.toCompletableFuture().join());
    sent.clear();
  }

  /** Whether a row of {@link #rows} is of a key that had a range deleted in a round. */
  static boolean hasDeletedRange(String row, int round) {
    // Its table, its key, and the rest.
    int key = Integer.parseInt(row.split(" ", 3)[1]);
    return key >= 0 && DELETED_RANGES.contains((key + round) % KINDS);
  }

  /** All rows of one side with their times of writing, in an order of their own. */
  List<String> rows(String side, Node replica) {
    List<String> lines = new ArrayList<>();
    for (String select :
        List.of(
            "SELECT k, v, n, writetime(v), writetime(n) FROM stale.plain_",
            "SELECT k, c, v, m, s, writetime(v), writetime(s) FROM stale.wide_")) {
      session
          .execute(
              SimpleStatement.newInstance(select + side)
                  .setNode(replica)
                  .setConsistencyLevel(DefaultConsistencyLevel.ONE))
          .forEach(row -> lines.add(select.contains("plain") + " " + Answers.text(row)));
    }
    lines.sort(String::compareTo);
    return lines;
  }
}
