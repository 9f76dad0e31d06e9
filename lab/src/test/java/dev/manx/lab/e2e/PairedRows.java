/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.ConsistencyLevel;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DefaultConsistencyLevel;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.load.CassandraSession;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Pairs of partitions with equal histories, of several rows each: one half of them is read with
 * Manx off, the other with it on.
 */
final class PairedRows {
  /** Makes their table. */
  static final String TABLE = "CREATE TABLE r.w (k int, c int, v text, PRIMARY KEY (k, c))";

  private static final int PAIRS = 240;

  private final CassandraSession opened;
  private final CqlSession session;

  PairedRows(CassandraSession opened) {
    this.opened = opened;
    session = opened.driver();
  }

  /** Writes their initial rows. */
  void fill() {
    for (int k = 0; k < 2 * PAIRS; k++) {
      for (int c = 0; c < 4; c++) {
        write("INSERT INTO r.w (k, c, v) VALUES (?, ?, ?)", k, c, "old" + c);
      }
    }
  }

  /** Deletes partitions, rows and values, and writes some anew. */
  void change() {
    for (int k = 0; k < 2 * PAIRS; k++) {
      change(k, k / 2);
    }
  }

  private void change(int k, int kind) {
    switch (kind % 6) {
      case 0 -> write("DELETE FROM r.w WHERE k = ?", k);
      case 1 -> write("DELETE FROM r.w WHERE k = ? AND c = 1", k);
      case 2 -> write("DELETE FROM r.w WHERE k = ? AND c > 1", k);
      case 3 -> write("UPDATE r.w SET v = 'new' WHERE k = ? AND c = 2", k);
      case 4 -> write("DELETE v FROM r.w WHERE k = ? AND c = 0", k);
      default -> {}
    }
  }

  /** The final rows of each half. */
  static List<String> right() {
    List<String> lines = new ArrayList<>();
    for (int kind = 0; kind < PAIRS; kind++) {
      for (int c = 0; c < 4; c++) {
        boolean gone =
            switch (kind % 6) {
              case 0 -> true;
              case 1 -> c == 1;
              case 2 -> c > 1;
              default -> false;
            };
        String value =
            kind % 6 == 3 && c == 2 ? "new" : kind % 6 == 4 && c == 0 ? "null" : "old" + c;
        if (!gone) {
          lines.add(kind + " " + c + " " + value);
        }
      }
    }
    return lines;
  }

  /** All partitions of one half, in multigets through all coordinators. */
  List<String> read(ConsistencyLevel level, int half) {
    List<String> lines = new ArrayList<>();
    PreparedStatement some = session.prepare("SELECT k, c, v FROM r.w WHERE k IN ?");
    PreparedStatement one = session.prepare("SELECT k, c, v FROM r.w WHERE k IN ? AND c = ?");
    for (int from = 0; from < PAIRS; from += 8) {
      Map<Integer, List<String>> byKind = new TreeMap<>();
      List<Integer> keys =
          IntStream.range(from, from + 8).mapToObj(kind -> 2 * kind + half).toList();
      Node coordinator = opened.nodes().get(from / 8 % 3);
      List<Row> rows = new ArrayList<>();
      if (from % 16 == 0) {
        // Full primary keys: a multiget whose paging Manx takes off.
        for (int c = 0; c < 4; c++) {
          rows.addAll(
              session
                  .execute(one.bind(keys, c).setConsistencyLevel(level).setNode(coordinator))
                  .all());
        }
      } else {
        rows =
            session
                .execute(
                    some.bind(keys)
                        .setConsistencyLevel(level)
                        .setNode(coordinator)
                        .setPageSize(from % 3 == 0 ? 5 : 5_000))
                .all();
      }
      for (Row row : rows) {
        byKind
            .computeIfAbsent(row.getInt("k") / 2, kind -> new ArrayList<>())
            .add(row.getInt("k") / 2 + " " + row.getInt("c") + " " + row.getString("v"));
      }
      byKind.values().forEach(lines::addAll);
    }
    return lines;
  }

  private void write(String cql, Object... values) {
    session.execute(
        SimpleStatement.newInstance(cql, values)
            .setConsistencyLevel(DefaultConsistencyLevel.QUORUM)
            .setIdempotent(true));
  }
}
