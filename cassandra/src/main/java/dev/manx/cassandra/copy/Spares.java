/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.Request;
import java.util.function.IntPredicate;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.Replica;

/** Chooses the replica of a second copy. */
public final class Spares {
  private Spares() {}

  /**
   * The replica that a plan ranks next: a full replica to which Cassandra might also send the read,
   * in the datacenter of the first.
   *
   * @param node the node of the first copy
   * @param fits whether a node can have a copy
   * @return null if there is none
   */
  public static Replica of(
      EndpointsForToken candidates,
      Request request,
      int read,
      int node,
      Nodes nodes,
      IntPredicate fits) {
    int start = request.replicaStart(read);
    int count = request.replicaCount(read);
    int group = -1;
    for (int rank = 0; rank < count; rank++) {
      if (request.replica(read, rank) == node) {
        group = request.groups()[start + rank];
      }
    }
    for (int rank = 0; rank < count; rank++) {
      int other = request.replica(read, rank);
      if (other != node && fits.test(other) && request.groups()[start + rank] == group) {
        Replica spare = candidate(candidates, other, nodes);
        if (spare != null && spare.isFull()) {
          return spare;
        }
      }
    }
    return null;
  }

  private static Replica candidate(EndpointsForToken candidates, int node, Nodes nodes) {
    for (int i = 0; i < candidates.size(); i++) {
      if (nodes.find(candidates.get(i).endpoint()) == node) {
        return candidates.get(i);
      }
    }
    return null;
  }
}
