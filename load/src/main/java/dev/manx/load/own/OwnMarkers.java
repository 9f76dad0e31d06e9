/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import dev.manx.load.connect.ConnectException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The bind markers of a statement. Each is filled with values of one column of the statement's
 * table, so a marker in any other place is refused.
 *
 * @param statement as the user wrote it
 * @param table with its keyspace; empty if there is no marker
 * @param all in the statement's order
 * @param columns of the table, by name; empty if there is no marker
 */
record OwnMarkers(
    OwnStatement statement, String table, List<Marker> all, Map<String, Column> columns) {
  private static final Pattern IN = Pattern.compile("in\\((.*)\\)", Pattern.CASE_INSENSITIVE);

  /** Literals, quoted names and comments; a doubled quote is the end of one and begins another. */
  private static final Pattern QUOTED =
      Pattern.compile("(?s)'[^']*'|\"[^\"]*\"|\\$\\$.*?\\$\\$|--[^\r\n]*|//[^\r\n]*|/\\*.*?\\*/");

  private static final Pattern CHANGED_IN_PART = Pattern.compile("(list|set|map)<.*");

  /**
   * A marker.
   *
   * @param column the column that it names
   * @param in whether it follows {@code IN} and takes a list
   * @param type of its values
   */
  record Marker(String column, boolean in, DataType type) {
    /** A marker with the name that the node gives it: the column's, or {@code in(column)}. */
    static Marker of(String name, DataType type) {
      Matcher list = IN.matcher(name);
      return list.matches() ? new Marker(list.group(1), true, type) : new Marker(name, false, type);
    }
  }

  /**
   * A column, as {@code system_schema.columns} describes it.
   *
   * @param kind such as {@code partition_key}
   */
  record Column(String name, String kind, String type) {
    boolean isPartitionKey() {
      return kind.equals("partition_key");
    }

    private boolean isKey() {
      return isPartitionKey() || kind.equals("clustering");
    }

    /** Whether a column of the key is needed to find the row to which this column belongs. */
    private boolean isFoundBy(Column key) {
      return key.isPartitionKey() || key.isKey() && !kind.equals("static");
    }
  }

  /**
   * Checks that every marker can be filled, and that the statement only writes values that its rows
   * have already.
   *
   * @throws ConnectException if not, with what to write instead
   */
  static OwnMarkers of(
      OwnStatement statement, String table, List<Marker> markers, List<Column> columns) {
    OwnMarkers checked =
        new OwnMarkers(
            statement,
            table,
            List.copyOf(markers),
            columns.stream().collect(Collectors.toMap(Column::name, Function.identity())));
    checked.checkColumns();
    checked.checkKeys();
    if (statement.writes()) {
      checked.checkWrites();
    }
    return checked;
  }

  private void checkColumns() {
    Set<String> seen = new HashSet<>();
    for (Marker marker : all) {
      String column = marker.column();
      if (!columns.containsKey(column)) {
        throw refused(
            "the marker `"
                + column
                + "` is not for a column of "
                + table
                + ", so no values can be sampled for it: write a value in its place, or `IN ?`"
                + " without a name for several keys");
      }
      // A write may compare a column with the value that it writes: `SET v = ? ... IF v = ?`.
      if (!seen.add(column) && !(statement.writes() && !columns.get(column).isKey())) {
        throw refused(
            "several markers are for the column "
                + column
                + " and would get the same value: write values in place of the others, or "
                + column
                + " IN ? for several keys");
      }
    }
  }

  private void checkKeys() {
    if (statement.mostKeys() > 1 && !isMultiget()) {
      throw refused("`keys` needs a marker `IN ?` without a name");
    }
  }

  private void checkWrites() {
    if (all.isEmpty()) {
      throw refused(
          "a write needs a marker for a column of its key, such as `WHERE id = ?`: without one the"
              + " driver does not know its table, which may have counters");
    }
    if (hasNamedMarkers()) {
      throw refused(
          "a write with markers such as `:name` could store values of the column of that name"
              + " elsewhere: write `?` in place of each");
    }
    if (columns.values().stream().anyMatch(column -> column.type().equals("counter"))) {
      throw refused(
          table + " has counters, which a repeated write changes again: only SELECT is possible");
    }
    for (String column : writesBack()) {
      if (isMultiget()) {
        throw refused(
            "it would write the "
                + column
                + " of one row to several rows: write a value in place of that marker, or one key"
                + " instead of `IN ?`");
      }
      checkKeyOf(columns.get(column));
      if (statement.updates() && CHANGED_IN_PART.matcher(columns.get(column).type()).matches()) {
        throw refused(
            "an UPDATE can add sampled values to the "
                + column
                + " of a row: write a value in place of that marker");
      }
    }
  }

  /** Cassandra gives a marker `?` the name of its column, and any other the name that it has. */
  private boolean hasNamedMarkers() {
    String text = QUOTED.matcher(statement.cql()).replaceAll(" ");
    return text.chars().filter(one -> one == '?').count() != all.size();
  }

  /** A sampled value is that of the row to which it is written only if the key is sampled too. */
  private void checkKeyOf(Column written) {
    String missing =
        columns.values().stream()
            .filter(written::isFoundBy)
            .map(Column::name)
            .filter(key -> all.stream().noneMatch(marker -> marker.column().equals(key)))
            .sorted()
            .collect(Collectors.joining(", "));
    if (!missing.isEmpty()) {
      throw refused(
          "it would write the "
              + written.name()
              + " of one row to another: write a marker for "
              + missing
              + " too, or a value in place of the marker for "
              + written.name());
    }
  }

  /**
   * Checks that the markers take the values of their columns.
   *
   * @param types of the columns, in the order of the markers
   * @throws ConnectException if one does not
   */
  void checkTypes(List<DataType> types) {
    for (int i = 0; i < all.size(); i++) {
      Marker marker = all.get(i);
      DataType column = types.get(i);
      DataType list = DataTypes.listOf(column);
      if (!marker.type().equals(marker.in() ? list : column)) {
        throw refused(
            "the marker `"
                + marker.column()
                + "` takes "
                + marker.type().asCql(false, true)
                + ", and the column has "
                + column.asCql(false, true)
                + (marker.type().equals(list)
                    ? ": write `IN ?` without a name"
                    : ": write a value in its place"));
      }
    }
  }

  /** The columns into which the statement writes values of its rows; not those of keys. */
  List<String> writesBack() {
    return statement.writes()
        ? all.stream().map(Marker::column).filter(column -> !columns.get(column).isKey()).toList()
        : List.of();
  }

  /** A warning for users about a statement that undoes writes of other clients. */
  Optional<String> warning() {
    List<String> columns = writesBack();
    return columns.isEmpty()
        ? Optional.empty()
        : Optional.of(
            statement.name()
                + " writes back, or compares with, values of "
                + String.join(", ", columns.stream().distinct().toList())
                + " sampled at the start; newer values of other clients are lost");
  }

  /** Whether a request has several keys. */
  boolean isMultiget() {
    return all.stream().anyMatch(Marker::in);
  }

  private ConnectException refused(String why) {
    return new ConnectException("statement " + statement.name() + ": " + why);
  }
}
