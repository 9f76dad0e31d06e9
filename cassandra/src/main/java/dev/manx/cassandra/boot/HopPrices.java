/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.policy.facts.FactColumn;
import java.util.function.ToDoubleFunction;
import org.apache.cassandra.concurrent.Stage;
import org.apache.cassandra.locator.DynamicEndpointSnitch;
import org.apache.cassandra.locator.IEndpointSnitch;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Says once a second what other nodes cost beyond their work. Turns hops into what selectors
 * compare: work in a queue. A hop is worth leaving home for when the wait at home is longer, and
 * with n read threads a wait of one hop is n hops of work.
 */
final class HopPrices {
  private HopPrices() {}

  /** The price of another node beyond that of the hop. */
  interface Extra {
    /** Nanoseconds of waiting, never negative. */
    double nanos(InetAddressAndPort endpoint);
  }

  /** Ends the meter's window and sets the price of every node known. */
  static void renew(Engine engine, long nowNanos) {
    engine.hops().roll();
    long threads = Math.max(1, Stage.READ.executor().getMaximumPoolSize());
    Extra extra = extra(engine.config(), engine.stockSnitch(), DynamicEndpointSnitch::getSeverity);
    int used = engine.nodes().used();
    double[] extras = new double[used];
    engine
        .nodes()
        .all()
        .forEach(
            (endpoint, node) -> {
              long hop = engine.hops().hopNanos(node, engine.self(), used);
              double more = extra.nanos(endpoint);
              long most = FactColumn.HOP_PRICE.most();
              long nanos = Math.min(most, Math.round((hop + more) * threads));
              engine.state().apply(FactColumn.HOP_PRICE, node, nanos, nowNanos);
              if (node < used) {
                extras[node] = more;
              }
            });
    long service = engine.keepsHome() ? engine.load().serviceNanos() : 0;
    engine.home().tick(engine.hops(), service, extras, engine.self());
  }

  /**
   * By rack and severity, as the settings have it.
   *
   * @param severity what an operator has set for a node over JMX to keep reads away, else 0
   */
  static Extra extra(
      PluginConfig config, IEndpointSnitch snitch, ToDoubleFunction<InetAddressAndPort> severity) {
    return endpoint -> {
      double nanos = severity(severity, endpoint) * config.severityPriceNanos();
      return isOwnRack(snitch, endpoint) ? nanos : nanos + config.rackPriceNanos();
    };
  }

  /** A peer sends its severity as text, which may be anything; what is no severity is none. */
  private static double severity(
      ToDoubleFunction<InetAddressAndPort> severity, InetAddressAndPort endpoint) {
    try {
      double units = severity.applyAsDouble(endpoint);
      return units > 0 && units <= Double.MAX_VALUE ? units : 0;
    } catch (RuntimeException e) {
      return 0;
    }
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
