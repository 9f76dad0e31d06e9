/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import dev.manx.client.Loader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Loads rows of a Cassandra table by key, which is the table's only primary key column.
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

  private final CqlSession session;
  private final PreparedStatement many;
  private final PreparedStatement one;
  private final CqlIdentifier keyColumn;
  private final Class<K> keyClass;
  private final Function<Row, V> read;
  private final boolean multiget;

  private TableLoader(TableLoader<K, V> other, boolean multiget) {
    session = other.session;
    many = other.many;
    one = other.one;
    keyColumn = other.keyColumn;
    keyClass = other.keyClass;
    read = other.read;
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
   * @param read converts a row, which has all columns, to a value
   * @throws com.datastax.oss.driver.api.core.DriverException if table or column do not exist
   */
  public TableLoader(
      CqlSession session,
      String table,
      String keyColumn,
      Class<K> keyClass,
      Function<Row, V> read) {
    this.session = session;
    this.keyColumn = CqlIdentifier.fromInternal(keyColumn);
    this.keyClass = keyClass;
    this.read = read;
    this.multiget = true;
    String key = this.keyColumn.asCql(true);
    String select = "SELECT * FROM " + quoted(table) + " WHERE " + key;
    many = prepare(select + " IN ?");
    one = prepare(select + " = ?");
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
    Map<K, V> found = new ConcurrentHashMap<>();
    List<CompletableFuture<?>> reads = new ArrayList<>();
    int step = multiget ? MULTIGET_KEYS : 1;
    for (int from = 0; from < keys.size(); from += step) {
      List<K> part = keys.subList(from, Math.min(keys.size(), from + step));
      BoundStatement statement =
          part.size() == 1 ? one.bind(part.get(0)) : many.bind(List.copyOf(part));
      reads.add(
          session
              .executeAsync(statement)
              .thenCompose(page -> take(page, found))
              .toCompletableFuture());
    }
    return CompletableFuture.allOf(reads.toArray(CompletableFuture[]::new))
        .thenApply(done -> found);
  }

  private CompletionStage<?> take(AsyncResultSet page, Map<K, V> found) {
    for (Row row : page.currentPage()) {
      V value = read.apply(row);
      if (value != null) {
        found.put(row.get(keyColumn, keyClass), value);
      }
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> take(next, found))
        : CompletableFuture.completedFuture(null);
  }
}
