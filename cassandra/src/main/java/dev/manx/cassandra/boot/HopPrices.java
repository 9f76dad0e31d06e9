/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.policy.facts.FactColumn;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Turns hops into what selectors compare: work in a queue. A hop is worth leaving home for when the
 * wait at home is longer, and with n read threads a wait of one hop is n hops of work.
 */
final class HopPrices {
  private HopPrices() {}

  /** Ends the meter's window and sets the price of every node known. */
  static void renew(Engine engine, long nowNanos) {
    engine.hops().roll();
    long threads = Math.max(1, Stage.READ.executor().getMaximumPoolSize());
    engine
        .nodes()
        .all()
        .forEach(
            (endpoint, node) ->
                engine
                    .state()
                    .apply(
                        FactColumn.HOP_PRICE,
                        node,
                        nanos(engine, endpoint, node) * threads,
                        nowNanos));
  }

  private static long nanos(Engine engine, InetAddressAndPort endpoint, int node) {
    long hop = engine.hops().hopNanos(node, engine.self(), engine.nodes().used());
    boolean ownRack = node == engine.self() || isOwnRack(engine.stockSnitch(), endpoint);
    return ownRack ? hop : hop + engine.config().rackPriceNanos();
  }

  /** A snitch may throw for a node that its file does not list yet; that node is far. */
  private static boolean isOwnRack(IEndpointSnitch snitch, InetAddressAndPort endpoint) {
    try {
      return snitch.getRack(endpoint).equals(snitch.getLocalRack());
    } catch (RuntimeException e) {
      return false;
    }
  }
}
