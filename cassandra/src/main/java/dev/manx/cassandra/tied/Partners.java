/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.copy.Flight;
import dev.manx.cassandra.copy.Spares;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.Request;
import java.util.function.IntPredicate;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;

/** The nodes with which this node ties reads: those that have Manx, in the same mode. */
final class Partners {
  private Partners() {}

  /**
   * Chooses the second replica of a planned read: one that the planner lets copies go to.
   *
   * @param candidates null if the read must not be tied
   * @param node the first replica of the read
   * @return null if there is none
   */
  static Replica peer(
      Engine engine,
      EndpointsForToken candidates,
      Request request,
      int read,
      int node,
      long nowNanos) {
    return spare(
        engine,
        candidates,
        request,
        read,
        node,
        other ->
            takes(engine, other, nowNanos)
                && engine.strategy().planner().mayPassTo(other, engine.state(), nowNanos));
  }

  /**
   * Counts a read for which {@link #peer} found none.
   *
   * @return whether it has a second replica, to which the planner lets no copy go at present
   */
  static boolean countsAsHeldBack(
      Flight flight,
      EndpointsForToken candidates,
      Request request,
      int read,
      int node,
      long nowNanos) {
    Engine engine = flight.engine();
    Replica busy =
        spare(engine, candidates, request, read, node, other -> takes(engine, other, nowNanos));
    if (busy == null) {
      flight.ineligible();
    } else {
      engine.counters().count(Counter.COPIES_SUPPRESSED);
    }
    return busy != null;
  }

  private static Replica spare(
      Engine engine,
      EndpointsForToken candidates,
      Request request,
      int read,
      int node,
      IntPredicate fits) {
    return candidates == null || request.copyAfterNanos(read) == Request.NEVER
        ? null
        : Spares.of(candidates, request, read, node, engine.nodes(), fits);
  }

  /** Whether a node, as far as is known, accepts tied reads and answers with signs of Manx. */
  static boolean takes(Engine engine, int node, long nowNanos) {
    return node == engine.self()
        || node != Nodes.NONE
            && engine.signs().acts(node, nowNanos)
            && !engine.signs().isWithout(node, nowNanos);
  }

  /** Whether notices reach another node, and that node's notices this one. */
  static boolean exchangesNotices(Engine engine, InetAddressAndPort peer, long nowNanos) {
    int node = engine.nodes().find(peer);
    return node != Nodes.NONE && engine.signs().acts(node, nowNanos);
  }
}
