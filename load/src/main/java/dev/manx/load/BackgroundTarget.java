/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import dev.manx.workload.CheckedValues;
import dev.manx.workload.PlannedRequest;
import dev.manx.workload.RequestClass;
import java.util.HashSet;
import java.util.Set;
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
            (request, rows) -> {
              Rows all = new Rows(rows, row -> true);
              // At the end of the ring a scan is shorter, but contains at least its first key.
              int missing = all.keys.contains(table.keySpace().key(request.keyId(0))) ? 0 : 1;
              return all.outcome(missing, background.scanRows());
            });
      }
      case INDEX -> {
        PreparedStatement index = session.driver().prepare("SELECT k, v, b" + from + "b = ?");
        yield new BackgroundTarget(
            session,
            request -> index.bind(table.bucket(request.keyId(0))),
            (request, rows) -> {
              int bucket = table.bucket(request.keyId(0));
              Rows all = new Rows(rows, row -> row.getInt(2) == bucket);
              int expected = table.keysInBucket(bucket);
              return all.outcome(Math.max(0, expected - all.keys.size()), expected);
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

  /** The rows of one answer; each must match the request and contain the value of its key. */
  private static final class Rows {
    final Set<String> keys = new HashSet<>();
    private int count;
    private int wrong;
    private int duplicates;

    Rows(Iterable<Row> rows, Predicate<Row> asked) {
      for (Row row : rows) {
        count++;
        String key = row.getString(0);
        if (key == null || !asked.test(row)) {
          wrong++;
        } else if (!keys.add(key)) {
          duplicates++;
        } else if (row.getByteBuffer(1) == null
            || CheckedValues.verify(key, row.getByteBuffer(1)) != CheckedValues.Verdict.OK) {
          wrong++;
        }
      }
    }

    /**
     * The outcome.
     *
     * @param missing keys
     * @param most keys that may be returned
     */
    RequestOutcome outcome(int missing, int most) {
      int tooMany = Math.max(0, keys.size() - most);
      return new RequestOutcome(
          RequestOutcome.Kind.OK, count, wrong + tooMany, missing, duplicates, "");
    }
  }
}
