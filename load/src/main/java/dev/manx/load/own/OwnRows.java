/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.manx.load.Pace;
import dev.manx.load.connect.ConnectException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A prepared statement and values for its markers: rows of its table, sampled at random positions
 * of the ring.
 *
 * @param statement as the user wrote it
 * @param prepared the prepared statement
 * @param in for each marker, whether it follows {@code IN}
 * @param rows a value for each marker, each row from one partition; one empty row if there is no
 *     marker
 */
record OwnRows(
    OwnStatement statement, PreparedStatement prepared, List<Boolean> in, List<List<Object>> rows) {
  private static final Pattern IN = Pattern.compile("in\\((.*)\\)", Pattern.CASE_INSENSITIVE);
  private static final int PER_PLACE = 20;

  /**
   * Prepares the statement and samples rows, by one range read of twenty rows at a time.
   *
   * @param most largest number of rows to sample
   * @param pace wait before each range read
   * @throws ConnectException if a marker cannot be filled from the table, or the table has too few
   *     partitions
   */
  static OwnRows of(CqlSession session, OwnStatement statement, int most, long seed, Pace pace) {
    PreparedStatement prepared = session.prepare(statement.cql());
    List<String> columns = new ArrayList<>();
    List<Boolean> in = new ArrayList<>();
    String table = "";
    for (ColumnDefinition marker : prepared.getVariableDefinitions()) {
      Matcher list = IN.matcher(marker.getName().asInternal());
      in.add(list.matches());
      columns.add(quoted(list.matches() ? list.group(1) : marker.getName().asInternal()));
      table = marker.getKeyspace().asCql(true) + "." + marker.getTable().asCql(true);
    }
    if (columns.isEmpty()) {
      return new OwnRows(statement, prepared, in, List.of(List.of()));
    }
    String key =
        session
            .execute(
                "SELECT column_name, position, kind FROM system_schema.columns WHERE keyspace_name"
                    + " = ? AND table_name = ?",
                prepared.getVariableDefinitions().get(0).getKeyspace().asInternal(),
                prepared.getVariableDefinitions().get(0).getTable().asInternal())
            .all()
            .stream()
            .filter(row -> "partition_key".equals(row.getString("kind")))
            .sorted(Comparator.comparingInt(row -> row.getInt("position")))
            .map(row -> quoted(row.getString("column_name")))
            .collect(Collectors.joining(", "));
    List<List<Object>> rows = sample(session, columns, table, key, most, seed, pace);
    OwnRows own = new OwnRows(statement, prepared, in, rows);
    own.check(table);
    return own;
  }

  private static List<List<Object>> sample(
      CqlSession session,
      List<String> columns,
      String table,
      String key,
      int most,
      long seed,
      Pace pace) {
    String cql =
        "SELECT "
            + String.join(", ", columns)
            + " FROM "
            + table
            + " WHERE token("
            + key
            + ") >= ? PER PARTITION LIMIT 1 LIMIT "
            + PER_PLACE;
    SplittableRandom random = new SplittableRandom(seed);
    Set<List<Object>> rows = new LinkedHashSet<>();
    for (int place = 0; place < most / PER_PLACE; place++) {
      // The first read starts at the beginning: a small table has rows there for any positions.
      long token = place == 0 ? Long.MIN_VALUE : random.nextLong();
      pace.await();
      for (Row row : session.execute(SimpleStatement.newInstance(cql, token))) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
          values.add(row.getObject(i));
        }
        if (!values.contains(null)) {
          rows.add(values);
        }
      }
    }
    return List.copyOf(rows);
  }

  private void check(String table) {
    int needed = in.contains(true) ? statement.mostKeys() : 1;
    if (rows.size() < needed) {
      throw new ConnectException(
          "statement "
              + statement.name()
              + ": "
              + table
              + " gave "
              + rows.size()
              + " different values for its markers, and a request needs "
              + needed);
    }
  }

  private static String quoted(String column) {
    return '"' + column.replace("\"", "\"\"") + '"';
  }

  /** Whether a request has several keys. */
  boolean isMultiget() {
    return in.contains(true);
  }
}
