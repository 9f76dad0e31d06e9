/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.cql.AsyncResultSet;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.servererrors.ReadTimeoutException;
import com.datastax.oss.driver.api.core.servererrors.WriteTimeoutException;
import dev.manx.workload.KeySpace;
import dev.manx.workload.PlannedRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;

/**
 * Sends requests to Cassandra: one read as {@code k = ?}, several as {@code k IN ?}; checks every
 * returned row, on the driver's threads.
 */
public final class CassandraTarget implements Target {
  private final CassandraSession session;
  private final KeySpace keySpace;
  private final Paging paging;
  private final DriverSettings driver;
  private final PreparedStatement one;
  private final PreparedStatement many;
  private final InTurn coordinators;

  /** Prepares the statements; the table must exist. */
  public CassandraTarget(CassandraSession session, KeySpace keySpace, Paging paging) {
    this(session, keySpace, paging, DriverSettings.plain(session.settings().coordinators()));
  }

  /** Uses an arm's driver settings; the session must have been opened with them. */
  public CassandraTarget(
      CassandraSession session, KeySpace keySpace, Paging paging, DriverSettings driver) {
    this.session = session;
    this.keySpace = keySpace;
    this.paging = paging;
    this.driver = driver;
    String select = "SELECT k, v FROM " + session.settings().qualifiedTable() + " WHERE k ";
    one = session.driver().prepare(select + "= ?");
    many = session.driver().prepare(select + "IN ?");
    coordinators = InTurn.of(session);
  }

  @Override
  public CompletionStage<RequestOutcome> send(PlannedRequest request) {
    RowCheck check = new RowCheck(keySpace, request);
    BoundStatement statement = bind(request).setExecutionProfileName(driver.profile(paging));
    if (driver.speculativeNanos() > 0) {
      statement = statement.setIdempotent(true);
    }
    if (driver.coordinators() == CassandraSettings.Coordinators.ROUND_ROBIN) {
      statement = statement.setNode(coordinators.of(request));
    }
    return session
        .driver()
        .executeAsync(statement)
        .thenCompose(page -> readAll(page, check))
        .exceptionally(CassandraTarget::failure);
  }

  @Override
  public Map<String, String> describe() {
    return DriverConfig.describe(session.settings(), paging);
  }

  private BoundStatement bind(PlannedRequest request) {
    if (request.reads() == 1) {
      return one.bind(keySpace.key(request.keyId(0)));
    }
    List<String> keys = new ArrayList<>(request.reads());
    for (int read = 0; read < request.reads(); read++) {
      keys.add(keySpace.key(request.keyId(read)));
    }
    return many.bind(keys);
  }

  private static CompletionStage<RequestOutcome> readAll(AsyncResultSet page, RowCheck check) {
    for (Row row : page.currentPage()) {
      check.row(row.getString(0), row.getByteBuffer(1));
    }
    return page.hasMorePages()
        ? page.fetchNextPage().thenCompose(next -> readAll(next, check))
        : CompletableFuture.completedFuture(check.outcome());
  }

  /** The outcome of a request that failed in the driver. */
  public static RequestOutcome failure(Throwable thrown) {
    Throwable cause = thrown instanceof CompletionException ? thrown.getCause() : thrown;
    String name = cause.getClass().getSimpleName();
    if (cause instanceof DriverTimeoutException
        || cause instanceof ReadTimeoutException
        || cause instanceof WriteTimeoutException) {
      return RequestOutcome.timedOut(name);
    }
    String detail = name + reasons(cause);
    return reachedNoNode(cause) ? RequestOutcome.unsent(detail) : RequestOutcome.error(detail);
  }

  /** Whether the driver had no connection to any node, or none with room for a request. */
  private static boolean reachedNoNode(Throwable cause) {
    return cause instanceof AllNodesFailedException all
        && all.getAllErrors().values().stream()
            .flatMap(List::stream)
            .allMatch(
                error ->
                    error instanceof NodeUnavailableException
                        || error instanceof BusyConnectionException);
  }

  /** Why the nodes failed, such as a full connection; empty if that is not known. */
  private static String reasons(Throwable cause) {
    String names =
        cause instanceof AllNodesFailedException all
            ? all.getAllErrors().values().stream()
                .flatMap(List::stream)
                .map(error -> error.getClass().getSimpleName())
                .distinct()
                .sorted()
                .collect(Collectors.joining(", "))
            : "";
    return names.isEmpty() ? "" : ": " + names;
  }
}
