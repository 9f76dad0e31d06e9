/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.workload.Request;
import dev.manx.workload.RequestClass;
import dev.manx.workload.Values;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** One kind of background work on the table; a request's only key says where. Any thread. */
final class BackgroundTarget implements Target {
  private final CassandraSession session;
  private final Function<Request, BoundStatement> bind;

  private BackgroundTarget(CassandraSession session, Function<Request, BoundStatement> bind) {
    this.session = session;
    this.bind = bind;
  }

  /**
   * Prepares the statement of a kind.
   *
   * @param kind SCAN, INDEX or WRITE
   */
  static BackgroundTarget of(RequestClass kind, Background background, KvTable table) {
    CassandraSession session = table.session();
    String select = "SELECT k, v FROM " + session.settings().qualifiedTable();
    return switch (kind) {
      case SCAN -> {
        PreparedStatement scan =
            session
                .driver()
                .prepare(select + " WHERE token(k) >= token(?) LIMIT " + background.scanRows());
        yield new BackgroundTarget(
            session, request -> scan.bind(table.keySpace().key(request.keyId(0))));
      }
      case INDEX -> {
        PreparedStatement index = session.driver().prepare(select + " WHERE b = ?");
        yield new BackgroundTarget(session, request -> index.bind(table.bucket(request.keyId(0))));
      }
      case WRITE ->
          new BackgroundTarget(
              session, request -> table.row(request.keyId(0), request.sequence() + 2));
      default -> throw new IllegalArgumentException(kind + " is not background work");
    };
  }

  @Override
  public CompletionStage<Outcome> send(Request request) {
    return session
        .driver()
        .executeAsync(bind.apply(request).setExecutionProfileName(Paging.OFF.profile()))
        .thenApply(BackgroundTarget::outcome)
        .exceptionally(CassandraTarget::failure);
  }

  /** Every row must hold the value of its own key. */
  private static Outcome outcome(AsyncResultSet page) {
    int rows = 0;
    int wrong = 0;
    for (Row row : page.currentPage()) {
      rows++;
      wrong +=
          row.getByteBuffer(1) != null
                  && Values.verify(row.getString(0), row.getByteBuffer(1)) == Values.Verdict.OK
              ? 0
              : 1;
    }
    return new Outcome(Outcome.Kind.OK, rows, wrong, 0, 0, "");
  }
}
