/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import java.util.List;
import java.util.regex.Pattern;

/** Thrown if a query of one node failed, with a message in words. */
public final class NodeException extends RuntimeException {
  private static final long serialVersionUID = 1L;
  private static final Pattern ABSENT_WORDS =
      Pattern.compile("(?i).*(keyspace|table) \\S+ does not exist.*|.*unconfigured table.*");

  private final Kind kind;

  /** The kind of failure. */
  public enum Kind {
    /** The node cannot be reached: the statement was not sent. */
    UNREACHABLE,
    /** The statement may have been sent, without an answer: the node may have executed it. */
    UNANSWERED,
    /** The user lacks the permission. */
    FORBIDDEN,
    /** The keyspace or table does not exist. */
    ABSENT,
    /** The node answered with an error. */
    REFUSED
  }

  /** A failure in words. */
  public NodeException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** Converts the driver's exception for a statement on an open session. */
  static NodeException of(DriverException e) {
    if (e instanceof UnauthorizedException) {
      return new NodeException(Kind.FORBIDDEN, e.getMessage(), e);
    }
    if (e instanceof InvalidQueryException) {
      boolean absent = ABSENT_WORDS.matcher(String.valueOf(e.getMessage())).matches();
      return new NodeException(absent ? Kind.ABSENT : Kind.REFUSED, e.getMessage(), e);
    }
    if (e instanceof AllNodesFailedException all && !wasSent(all)) {
      return new NodeException(Kind.UNREACHABLE, "the connection is lost", e);
    }
    if (e instanceof AllNodesFailedException
        || e instanceof DriverTimeoutException
        || e instanceof ClosedConnectionException
        || e instanceof HeartbeatException) {
      return new NodeException(
          Kind.UNANSWERED, "the connection is lost, or no answer came in time", e);
    }
    return new NodeException(Kind.REFUSED, Reasons.innermost(e), e);
  }

  private static boolean wasSent(AllNodesFailedException failed) {
    return failed.getAllErrors().values().stream()
        .flatMap(List::stream)
        .anyMatch(
            one ->
                !(one instanceof NodeUnavailableException)
                    && !(one instanceof BusyConnectionException));
  }

  /** The kind of failure. */
  public Kind kind() {
    return kind;
  }
}
