/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.cassandra;

import com.datastax.oss.driver.api.core.CqlIdentifier;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.ColumnDefinition;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BiFunction;
import java.util.function.Function;

/** A session with a table of titles by id, which is its primary key. No Cassandra is needed. */
final class FakeTable {
  private FakeTable() {}

  private static <T> T fake(Class<T> type, BiFunction<String, Object[], Object> answer) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> answer.apply(method.getName(), arguments)));
  }

  private static Row row(int id) {
    return fake(
        Row.class, (method, arguments) -> method.equals("get") ? (Object) id : "title " + id);
  }

  /**
   * A page of rows.
   *
   * @param next the page after it, or null
   */
  static AsyncResultSet page(List<Integer> ids, CompletionStage<AsyncResultSet> next) {
    List<Row> rows = ids.stream().map(FakeTable::row).toList();
    return fake(
        AsyncResultSet.class,
        (method, arguments) ->
            switch (method) {
              case "currentPage" -> rows;
              case "hasMorePages" -> next != null;
              case "fetchNextPage" -> next;
              default -> throw new UnsupportedOperationException(method);
            });
  }

  /**
   * Opens the session.
   *
   * @param read answers a read of these ids
   */
  static CqlSession session(Function<List<?>, CompletionStage<AsyncResultSet>> read) {
    ColumnDefinition column =
        fake(ColumnDefinition.class, (method, arguments) -> CqlIdentifier.fromInternal("any"));
    ColumnDefinitions columns = fake(ColumnDefinitions.class, (method, arguments) -> column);
    PreparedStatement prepared =
        fake(
            PreparedStatement.class,
            (method, arguments) -> method.equals("bind") ? bound(arguments) : columns);
    // The primary key has no other columns.
    ResultSet none = fake(ResultSet.class, (method, arguments) -> List.of());
    return fake(
        CqlSession.class,
        (method, arguments) ->
            switch (method) {
              case "prepare" -> prepared;
              case "execute" -> none;
              case "executeAsync" ->
                  read.apply((List<?>) ((BoundStatement) arguments[0]).getObject(0));
              default -> throw new UnsupportedOperationException(method);
            });
  }

  /** A statement for one id, or for a list of them. */
  private static BoundStatement bound(Object[] arguments) {
    Object value = ((Object[]) arguments[0])[0];
    List<?> ids = value instanceof List<?> list ? list : List.of(value);
    return fake(BoundStatement.class, (method, none) -> ids);
  }
}
