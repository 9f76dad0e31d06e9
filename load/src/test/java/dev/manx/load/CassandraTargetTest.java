/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.connection.BusyConnectionException;
import com.datastax.oss.driver.api.core.connection.ClosedConnectionException;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The outcome of a request that failed in the driver. */
@Timeout(60)
class CassandraTargetTest {
  private static Node node() {
    Class<?>[] type = {Node.class};
    return (Node)
        Proxy.newProxyInstance(
            Node.class.getClassLoader(),
            type,
            (self, method, arguments) ->
                switch (method.getName()) {
                  case "hashCode" -> System.identityHashCode(self);
                  case "equals" -> self == arguments[0];
                  case "toString" -> "a node";
                  default -> null;
                });
  }

  @Test
  void aFailureOfAllNodesNamesTheReasonOfEach() {
    List<Map.Entry<Node, Throwable>> errors =
        List.of(
            Map.entry(node(), new BusyConnectionException(1024)),
            Map.entry(node(), new BusyConnectionException(1024)));
    RequestOutcome outcome =
        CassandraTarget.failure(
            new CompletionException(AllNodesFailedException.fromErrors(errors)));
    assertThat(outcome)
        .isEqualTo(RequestOutcome.unsent("AllNodesFailedException: BusyConnectionException"));
  }

  /** A node that lost its connection may have executed the request. */
  @Test
  void aRequestThatOneNodeMayHaveReceivedWasSent() {
    List<Map.Entry<Node, Throwable>> errors =
        List.of(
            Map.entry(node(), new BusyConnectionException(1024)),
            Map.entry(node(), new ClosedConnectionException("lost")));
    RequestOutcome outcome = CassandraTarget.failure(AllNodesFailedException.fromErrors(errors));
    assertThat(outcome.kind()).isEqualTo(RequestOutcome.Kind.ERROR);
  }

  @Test
  void otherFailuresHaveTheirOwnNames() {
    assertThat(CassandraTarget.failure(new NoNodeAvailableException()))
        .isEqualTo(RequestOutcome.unsent("NoNodeAvailableException"));
    assertThat(CassandraTarget.failure(new DriverTimeoutException("late")))
        .isEqualTo(RequestOutcome.timedOut("DriverTimeoutException"));
  }
}
