/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.workload.PlannedRequest;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InTurnTest {
  private final Set<Integer> connected = new TreeSet<>(Set.of(0, 1, 2));
  private final List<Node> nodes = List.of(node(0), node(1), node(2));
  private final InTurn coordinators = new InTurn(nodes);

  private Node node(int index) {
    return (Node)
        Proxy.newProxyInstance(
            Node.class.getClassLoader(),
            new Class<?>[] {Node.class},
            (proxy, method, args) ->
                switch (method.getName()) {
                  case "getOpenConnections" -> connected.contains(index) ? 1 : 0;
                  case "equals" -> proxy == args[0];
                  case "hashCode" -> index;
                  case "toString" -> "node" + index;
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private List<Integer> ofRequests(int count) {
    return IntStream.range(0, count)
        .map(
            sequence ->
                nodes.indexOf(coordinators.of(new PlannedRequest(sequence, 0, false, sequence))))
        .boxed()
        .toList();
  }

  @Test
  void requestsGoToEachNodeInTurn() {
    assertThat(ofRequests(6)).containsExactly(0, 1, 2, 0, 1, 2);
  }

  /** A driver sends no request to a node that was killed; that would measure the failures only. */
  @Test
  void theOthersShareTheRequestsOfANodeWithoutConnections() {
    connected.remove(1);
    assertThat(ofRequests(12)).containsExactly(0, 0, 2, 0, 2, 2, 0, 0, 2, 0, 2, 2);
    connected.add(1);
    assertThat(ofRequests(3)).containsExactly(0, 1, 2);
  }

  @Test
  void aRequestThatReachesNoNodeGoesToItsOwn() {
    connected.clear();
    assertThat(ofRequests(3)).containsExactly(0, 1, 2);
  }
}
