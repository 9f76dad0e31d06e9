/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.manx.client.FailedKeysException;
import dev.manx.client.Loader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Loads rows of a Cassandra table by its partition key, which is one column. A value is made of the
 * key's row, or, with {@link #ofRows}, of all rows of its partition: a playlist of its songs, a
 * feed of its entries. If the conversion of a key throws, only this key fails; if a read fails,
 * only its keys without a value fail.
 *
 * <p>By default the keys of a load are sent as one multiget ({@code k IN ?}): Manx's plugin then
 * sees the whole request on the coordinator and plans it. {@link #oneByOne} sends concurrent single
 * reads instead, which without the plugin distributes better over coordinators. The driver's
 * settings apply: consistency, time-out, page size, limit of requests in flight. Answers arrive on
 * the driver's threads: callbacks of a query's future should not block.
 */
public final class TableLoader<K, V> implements Loader<K, V> {
  /* The plugin plans a multiget only if it certainly fits into a page; the driver's default page
   * has 5,000 rows, and Cassandra's guardrail for IN may be lower. */
  private static final int MULTIGET_KEYS = 1_000;

  private static final Set<String> KEY_KINDS = Set.of("partition_key", "clustering");

  private final CqlSession session;
  private final PreparedStatement many;
  private final PreparedStatement one;
  private final CqlIdentifier keyColumn;
  private final Class<K> keyClass;
  // One of the two.
  private final Function<Row, V> readOne;
  private final Function<List<Row>, V> readAll;
  private final boolean multiget;

  private TableLoader(TableLoader<K, V> other, boolean multiget) {
    session = other.session;
    many = other.many;
    one = other.one;
    keyColumn = other.keyColumn;
    keyClass = other.keyClass;
    readOne = other.readOne;
    readAll = other.readAll;
    this.multiget = multiget;
  }

  /**
   * Prepares the statements; blocks until the cluster has prepared them.
   *
   * @param session remains the application's, which closes it
   * @param table its name, preceded by the keyspace and a dot unless the session has one; spelled
   *     as in the schema
   * @param keyColumn the primary key
   * @param keyClass its Java type, as mapped by the driver
   * @param read converts a row, which has all columns, to a value; null for none
   * @throws com.datastax.oss.driver.api.core.DriverException if table or column do not exist
   * @throws IllegalArgumentException if the primary key has other columns, so that a key can have
   *     several rows
   */
  public TableLoader(
      CqlSession session,
      String table,
      String keyColumn,
      Class<K> keyClass,
      Function<Row, V> read) {
    this(session, table, keyColumn, keyClass, read, null);
    List<String> others = otherKeyColumns();
    if (!others.isEmpty()) {
      throw new IllegalArgumentException(
          "a key of "
              + table
              + " can have several rows, since its primary key has more columns than "
              + keyColumn
              + ": "
              + String.join(", ", others)
              + "; TableLoader.ofRows makes one value of them");
    }
  }

  private TableLoader(
      CqlSession session,
      String table,
      String keyColumn,
      Class<K> keyClass,
      Function<Row, V> readOne,
      Function<List<Row>, V> readAll) {
    this.session = session;
    this.keyColumn = CqlIdentifier.fromInternal(keyColumn);
    this.keyClass = keyClass;
    this.readOne = readOne;
    this.readAll = readAll;
    this.multiget = true;
    String key = this.keyColumn.asCql(true);
    String select = "SELECT * FROM " + quoted(table) + " WHERE " + key;
    many = prepare(select + " IN ?");
    one = prepare(select + " = ?");
  }

  /**
   * Creates a loader that makes a value of all rows of a partition, which are in memory together.
   * Parameters and exceptions are those of the constructor, but the table may have clustering
   * columns.
   *
   * @param read converts the rows of a key, at least one, in the order of the clustering columns;
   *     null for none
   */
  public static <K, V> TableLoader<K, V> ofRows(
      CqlSession session,
      String table,
      String keyColumn,
      Class<K> keyClass,
      Function<List<Row>, V> read) {
    return new TableLoader<>(session, table, keyColumn, keyClass, null, read);
  }

  private List<String> otherKeyColumns() {
    List<Row> columns = columns("system_schema");
    // Those of a virtual table are in a keyspace that Cassandra 3 does not have.
    return (columns.isEmpty() ? columns("system_virtual_schema") : columns)
        .stream()
            .filter(row -> KEY_KINDS.contains(row.getString("kind")))
            .map(row -> row.getString("column_name"))
            .filter(name -> !name.equals(keyColumn.asInternal()))
            .sorted()
            .collect(Collectors.toList());
  }

  private List<Row> columns(String schema) {
    ColumnDefinition column = one.getResultSetDefinitions().get(0);
    return session
        .execute(
            SimpleStatement.newInstance(
                "SELECT column_name, kind FROM "
                    + schema
                    + ".columns WHERE keyspace_name = ? AND table_name = ?",
                column.getKeyspace().asInternal(),
                column.getTable().asInternal()))
        .all();
  }

  /** Returns a loader that sends a read per key instead of multigets. */
  public TableLoader<K, V> oneByOne() {
    return new TableLoader<>(this, false);
  }

  private PreparedStatement prepare(String query) {
    return session.prepare(SimpleStatement.newInstance(query).setIdempotent(true));
  }

  private static String quoted(String table) {
    List<String> parts = new ArrayList<>();
    for (String part : table.split("\\.", -1)) {
      parts.add(CqlIdentifier.fromInternal(part).asCql(true));
    }
    return String.join(".", parts);
  }

  @Override
  public CompletionStage<Map<K, V>> loadAll(List<K> keys) {
    Found<K, V> found = new Found<>();
    List<CompletableFuture<?>> reads = new ArrayList<>();
    int step = multiget ? MULTIGET_KEYS : 1;
    for (int from = 0; from < keys.size(); from += step) {
      List<K> part = keys.subList(from, Math.min(keys.size(), from + step));
      reads.add(
          read(part, found)
              .exceptionally(
                  error -> {
                    found.fail(part, error);
                    return null;
                  })
              .toCompletableFuture());
    }
    return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
        .thenApply(done -> found.whole());
  }

  private CompletionStage<Void> read(List<K> part, Found<K, V> found) {
    try {
      BoundStatement statement =
          part.size() == 1 ? one.bind(part.get(0)) : many.bind(List.copyOf(part));
      CompletionStage<AsyncResultSet> page = session.executeAsync(statement);
      return readAll == null
          ? page.thenCompose(rows -> each(rows, found))
          : page.thenCompose(rows -> grouped(rows, new HashMap<>(), found));
    } catch (RuntimeException e) {
      // A key that the driver cannot encode.
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletionStage<Void> each(AsyncResultSet page, Found<K, V> found) {
    for (Row row : page.currentPage()) {
      found.take(key(row), () -> readOne.apply(row));
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> each(next, found))
        : CompletableFuture.completedFuture(null);
  }

  /** A page may end within a partition. */
  private CompletionStage<Void> grouped(
      AsyncResultSet page, Map<K, List<Row>> rows, Found<K, V> found) {
    for (Row row : page.currentPage()) {
      rows.computeIfAbsent(key(row), key -> new ArrayList<>()).add(row);
    }
    if (page.hasMorePages()) {
      return page.fetchNextPage().thenCompose(next -> grouped(next, rows, found));
    }
    rows.forEach((key, all) -> found.take(key, () -> readAll.apply(List.copyOf(all))));
    return CompletableFuture.completedFuture(null);
  }

  private K key(Row row) {
    return row.get(keyColumn, keyClass);
  }

  /** The results of one load. */
  private static final class Found<K, V> {
    private final Map<K, V> values = new ConcurrentHashMap<>();
    private final Map<K, Throwable> failed = new ConcurrentHashMap<>();

    void take(K key, Supplier<V> read) {
      try {
        V value = read.get();
        if (value != null) {
          values.put(key, value);
        }
      } catch (Throwable e) {
        // Also an Error, for example of a missing class.
        failed.put(key, e);
      }
    }

    /** Fails the keys of a read that have no value. */
    void fail(List<K> keys, Throwable error) {
      boolean isWrapped = error instanceof CompletionException && error.getCause() != null;
      Throwable why = isWrapped ? error.getCause() : error;
      for (K key : keys) {
        if (!values.containsKey(key)) {
          failed.putIfAbsent(key, why);
        }
      }
    }

    /** All values, if no key has failed. */
    Map<K, V> whole() {
      if (!failed.isEmpty()) {
        throw new FailedKeysException(values, failed);
      }
      return values;
    }
  }
}
