/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.type.DataType;
import com.datastax.oss.driver.api.core.type.DataTypes;
import dev.manx.load.Pace;
import dev.manx.load.connect.ConnectException;
import dev.manx.load.own.OwnMarkers.Column;
import dev.manx.load.own.OwnMarkers.Marker;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A prepared statement and values for its markers: rows of its table, sampled at random positions
 * of the ring.
 *
 * @param markers the statement and its markers
 * @param prepared the prepared statement
 * @param rows a value for each marker, each row from one partition; one empty row if there is no
 *     marker
 */
record OwnRows(OwnMarkers markers, PreparedStatement prepared, List<List<Object>> rows) {
  /** Neighbours on the ring have the same replicas, so few are taken from one place. */
  private static final int PER_PLACE = 4;

  /** A table with fewer partitions is read from its start instead. */
  private static final int FROM_START = 100;

  /** Places in a row with known rows only, after which the table is taken to have no more. */
  private static final int FRUITLESS = 10;

  /** Reads rows of the table. */
  interface Place {
    /** Returns the first rows from a token on, at most a number of them. */
    List<List<Object>> rows(long token, int most);
  }

  /**
   * Prepares the statement and samples rows, by one range read at a time.
   *
   * @param most largest number of rows to sample
   * @param pace wait before each range read
   * @throws ConnectException if a marker cannot be filled from the table, a write would give rows
   *     values of other rows, or the table has too few partitions
   */
  static OwnRows of(CqlSession session, OwnStatement statement, int most, long seed, Pace pace) {
    PreparedStatement prepared = session.prepare(statement.cql());
    ColumnDefinitions variables = prepared.getVariableDefinitions();
    if (variables.size() == 0) {
      OwnMarkers none = OwnMarkers.of(statement, "", List.of(), List.of());
      return new OwnRows(none, prepared, List.of(List.of()));
    }
    ColumnDefinition first = variables.get(0);
    List<Column> columns = columns(session, first);
    OwnMarkers markers =
        OwnMarkers.of(
            statement,
            first.getKeyspace().asCql(true) + "." + first.getTable().asCql(true),
            stream(variables)
                .map(marker -> Marker.of(marker.getName().asInternal(), marker.getType()))
                .toList(),
            columns);
    PreparedStatement read = session.prepare(read(markers, columns));
    checkToken(read.getVariableDefinitions().get(0).getType());
    markers.checkTypes(
        stream(read.getResultSetDefinitions()).map(ColumnDefinition::getType).toList());
    List<List<Object>> rows =
        sample(
            (token, limit) -> values(session.execute(read.bind(token, limit))), most, seed, pace);
    OwnRows own = new OwnRows(markers, prepared, rows);
    own.check();
    return own;
  }

  /** Places are random tokens of Murmur3Partitioner. */
  static void checkToken(DataType token) {
    if (!token.equals(DataTypes.BIGINT)) {
      throw new ConnectException(
          "keys can be sampled only from a cluster with Murmur3Partitioner, whose tokens are of type"
              + " bigint and not "
              + token.asCql(false, false));
    }
  }

  private static Stream<ColumnDefinition> stream(ColumnDefinitions all) {
    return StreamSupport.stream(all.spliterator(), false);
  }

  /** The table's columns; those of its partition key in order. */
  private static List<Column> columns(CqlSession session, ColumnDefinition of) {
    return session
        .execute(
            "SELECT column_name, position, kind, type FROM system_schema.columns WHERE"
                + " keyspace_name = ? AND table_name = ?",
            of.getKeyspace().asInternal(),
            of.getTable().asInternal())
        .all()
        .stream()
        .sorted(Comparator.comparingInt(row -> row.getInt("position")))
        .map(
            row ->
                new Column(
                    row.getString("column_name"), row.getString("kind"), row.getString("type")))
        .toList();
  }

  /** The range read of one place. */
  private static String read(OwnMarkers markers, List<Column> columns) {
    return "SELECT "
        + markers.all().stream()
            .map(marker -> quoted(marker.column()))
            .collect(Collectors.joining(", "))
        + " FROM "
        + markers.table()
        + " WHERE token("
        + columns.stream()
            .filter(Column::isPartitionKey)
            .map(column -> quoted(column.name()))
            .collect(Collectors.joining(", "))
        + ") >= ? PER PARTITION LIMIT 1 LIMIT ?";
  }

  private static String quoted(String column) {
    return CqlIdentifier.fromInternal(column).asCql(false);
  }

  static List<List<Object>> values(Iterable<Row> read) {
    List<List<Object>> rows = new ArrayList<>();
    for (Row row : read) {
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < row.size(); i++) {
        // The driver reads a missing collection as an empty one, which a write would store.
        values.add(row.isNull(i) ? null : row.getObject(i));
      }
      rows.add(values);
    }
    return rows;
  }

  /** The largest number of range reads that sample a number of rows. */
  static int places(int most) {
    return 1 + (most + PER_PLACE - 1) / PER_PLACE;
  }

  /**
   * Different rows at random places; all rows of a small table, for which each place would be read
   * from most of the ring. Rows that lack a value are left out, and a place with such rows only
   * does not show that the table has no more.
   */
  static List<List<Object>> sample(Place place, int most, long seed, Pace pace) {
    pace.await();
    List<List<Object>> start = place.rows(Long.MIN_VALUE, FROM_START);
    SplittableRandom random = new SplittableRandom(seed);
    Set<List<Object>> rows = new LinkedHashSet<>();
    int fruitless = start.size() < FROM_START ? FRUITLESS : 0;
    for (int i = 1; i < places(most) && fruitless < FRUITLESS; i++) {
      pace.await();
      List<List<Object>> there = complete(place.rows(random.nextLong(), PER_PLACE));
      if (rows.addAll(there)) {
        fruitless = 0;
      } else if (!there.isEmpty()) {
        fruitless++;
      }
    }
    if (rows.size() < most) {
      rows.addAll(complete(start));
    }
    return rows.stream().limit(most).toList();
  }

  private static List<List<Object>> complete(List<List<Object>> rows) {
    return rows.stream().filter(row -> row.stream().allMatch(Objects::nonNull)).toList();
  }

  private void check() {
    int needed = markers.isMultiget() ? statement().mostKeys() : 1;
    if (rows.size() < needed) {
      throw new ConnectException(
          "statement "
              + statement().name()
              + ": "
              + markers.table()
              + " gave "
              + rows.size()
              + " different values for its markers, and a request needs "
              + needed);
    }
  }

  /** As the user wrote it. */
  OwnStatement statement() {
    return markers.statement();
  }
}
