/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.connection.HeartbeatException;
import com.datastax.oss.driver.api.core.servererrors.InvalidQueryException;
import com.datastax.oss.driver.api.core.servererrors.ServerError;
import com.datastax.oss.driver.api.core.servererrors.UnauthorizedException;
import dev.manx.load.connect.NodeException.Kind;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether a node may have executed a statement that failed. */
class NodeExceptionTest {
  private static Kind kind(DriverException e) {
    NodeException failure = NodeException.of(e);
    assertThat(failure.getMessage()).isNotEmpty();
    assertThat(failure.getCause()).isSameAs(e);
    return failure.kind();
  }

  @Test
  void aStatementThatWasSentWithoutAnAnswerIsNotRefused() {
    assertThat(kind(new DriverTimeoutException("timed out after PT10S")))
        .isEqualTo(Kind.UNANSWERED);
    assertThat(kind(new ClosedConnectionException("Lost connection to remote peer")))
        .isEqualTo(Kind.UNANSWERED);
    assertThat(
            kind(new HeartbeatException(new InetSocketAddress("127.0.0.1", 9_042), "late", null)))
        .isEqualTo(Kind.UNANSWERED);
  }

  @Test
  void aStatementThatWasNotSentIsUnreachable() {
    assertThat(kind(new NoNodeAvailableException())).isEqualTo(Kind.UNREACHABLE);
    assertThat(kind(AllNodesFailedException.fromErrors(List.of()))).isEqualTo(Kind.UNREACHABLE);
  }

  @Test
  void anAnswerIsARefusal() {
    assertThat(kind(new ServerError(null, "boom"))).isEqualTo(Kind.REFUSED);
    assertThat(kind(new InvalidQueryException(null, "no such row"))).isEqualTo(Kind.REFUSED);
    assertThat(kind(new InvalidQueryException(null, "keyspace manx does not exist")))
        .isEqualTo(Kind.ABSENT);
    assertThat(kind(new UnauthorizedException(null, "User u has no MODIFY")))
        .isEqualTo(Kind.FORBIDDEN);
  }
}
