/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.tied;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.copy.Spares;
import dev.manx.cassandra.nodes.Nodes;
import dev.manx.policy.Request;
import org.apache.cassandra.locator.EndpointsForToken;
import org.apache.cassandra.locator.InetAddressAndPort;
import org.apache.cassandra.locator.Replica;

/** The nodes with which this one ties reads: those that have Manx, in the same mode. */
final class Partners {
  private Partners() {}

  /**
   * The second replica of a planned read.
   *
   * @param candidates null: the read is not to be tied
   * @param node where the read goes first
   * @return null if there is none
   */
  static Replica peer(
      Engine engine,
      EndpointsForToken candidates,
      Request request,
      int read,
      int node,
      long nowNanos) {
    return candidates == null || request.copyAfterNanos(read) == Request.NEVER
        ? null
        : Spares.of(
            candidates,
            request,
            read,
            node,
            engine.nodes(),
            other -> takes(engine, other, nowNanos));
  }

  /** Whether a node takes tied reads, as far as is known, and answers with signs of Manx. */
  static boolean takes(Engine engine, int node, long nowNanos) {
    return node == engine.self()
        || node != Nodes.NONE
            && engine.signs().acts(node, nowNanos)
            && !engine.signs().isWithout(node, nowNanos);
  }

  /** Whether notices reach another node, and its own this one. */
  static boolean exchangesNotices(Engine engine, InetAddressAndPort peer, long nowNanos) {
    int node = engine.nodes().find(peer);
    return node != Nodes.NONE && engine.signs().acts(node, nowNanos);
  }
}
