/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.metadata.Node;
import dev.manx.workload.PlannedRequest;
import java.util.List;

/** The coordinators of a session's requests, in round robin. */
record InTurn(List<Node> coordinators) {
  /** All nodes that may coordinate, as known now. */
  static InTurn of(CassandraSession session) {
    return new InTurn(session.coordinators());
  }

  /**
   * The coordinator of a request. If the driver has no connection to it, which it would not choose
   * then, one of the others is, in turn.
   */
  Node of(PlannedRequest request) {
    long sequence = request.sequence();
    int nodes = coordinators.size();
    Node own = coordinators.get((int) (sequence % nodes));
    if (isConnected(own)) {
      return own;
    }
    List<Node> others = coordinators.stream().filter(InTurn::isConnected).toList();
    return others.isEmpty() ? own : others.get((int) (sequence / nodes % others.size()));
  }

  private static boolean isConnected(Node node) {
    return node.getOpenConnections() > 0;
  }
}
