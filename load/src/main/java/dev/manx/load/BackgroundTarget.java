/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.PlannedRequest;
import dev.manx.workload.RequestClass;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;

/** One kind of background work on the table, at the only key of each request. Any thread. */
final class BackgroundTarget implements Target {
  /** Checks the rows of an answer. */
  private interface Check {
    RequestOutcome outcome(PlannedRequest request, Iterable<Row> rows);
  }

  private final CassandraSession session;
  private final Function<PlannedRequest, BoundStatement> bind;
  private final Check check;
  // Null if the driver chooses.
  private final InTurn coordinators;

  private BackgroundTarget(
      CassandraSession session, Function<PlannedRequest, BoundStatement> bind, Check check) {
    this.session = session;
    this.bind = bind;
    this.check = check;
    // Nodes that hold data do not coordinate then.
    coordinators = session.settings().contactPointsOnly() ? InTurn.of(session) : null;
  }

  /**
   * Prepares the statement of a kind.
   *
   * @param kind SCAN, INDEX or WRITE
   */
  static BackgroundTarget of(RequestClass kind, Background background, KvTable table) {
    CassandraSession session = table.session();
    String from = " FROM " + session.settings().qualifiedTable() + " WHERE ";
    return switch (kind) {
      case SCAN -> {
        PreparedStatement scan =
            session
                .driver()
                .prepare(
                    "SELECT k, v" + from + "token(k) >= token(?) LIMIT " + background.scanRows());
        yield new BackgroundTarget(
            session,
            request -> scan.bind(table.keySpace().key(request.keyId(0))),
            // At the end of the ring a scan is shorter, but contains at least its first key.
            (request, rows) -> checked(rows, 1, row -> true));
      }
      case INDEX -> {
        PreparedStatement index = session.driver().prepare("SELECT k, v, b" + from + "b = ?");
        yield new BackgroundTarget(
            session,
            request -> index.bind(table.bucket(request.keyId(0))),
            (request, rows) -> {
              int bucket = table.bucket(request.keyId(0));
              return checked(rows, table.keysInBucket(bucket), row -> row.getInt(2) == bucket);
            });
      }
      case WRITE ->
          new BackgroundTarget(
              session,
              request -> table.row(request.keyId(0), request.sequence() + 2),
              (request, rows) -> RequestOutcome.ok(0));
      default -> throw new IllegalArgumentException(kind + " is not background work");
    };
  }

  @Override
  public CompletionStage<RequestOutcome> send(PlannedRequest request) {
    BoundStatement statement = bind.apply(request).setExecutionProfileName(Paging.OFF.profile());
    if (coordinators != null) {
      statement = statement.setNode(coordinators.of(request));
    }
    return session
        .driver()
        .executeAsync(statement)
        .thenApply(page -> check.outcome(request, page.currentPage()))
        .exceptionally(CassandraTarget::failure);
  }

  /** Every row must contain the value of its key and match the request. */
  private static RequestOutcome checked(Iterable<Row> rows, int expected, Predicate<Row> asked) {
    int count = 0;
    int wrong = 0;
    for (Row row : rows) {
      count++;
      boolean good =
          asked.test(row)
              && row.getByteBuffer(1) != null
              && CheckedValues.verify(row.getString(0), row.getByteBuffer(1))
                  == CheckedValues.Verdict.OK;
      wrong += good ? 0 : 1;
    }
    return new RequestOutcome(
        RequestOutcome.Kind.OK, count, wrong, Math.max(0, expected - count), 0, "");
  }
}
