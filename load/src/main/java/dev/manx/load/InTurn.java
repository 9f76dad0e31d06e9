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

  /** The coordinator of a request. */
  Node of(PlannedRequest request) {
    return coordinators.get((int) (request.sequence() % coordinators.size()));
  }
}
