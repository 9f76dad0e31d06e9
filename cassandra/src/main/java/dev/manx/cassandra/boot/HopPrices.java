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
 * Computes once a second the price of other nodes beyond their work, in the unit that selectors
 * compare: work in a queue. A read should leave home only if the wait at home is longer than a hop,
 * and with n read threads a wait of one hop is n hops of work.
 */
final class HopPrices {
  private HopPrices() {}

  /** The price of another node in addition to the hop. */
  interface Extra {
    /** Nanoseconds of waiting, never negative. */
    double nanos(InetAddressAndPort endpoint);
  }

  /** Ends the meter's window and sets the price of every known node. */
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
    engine.home().tick(engine.hops(), serviceAtHome(engine), extras, engine.self());
  }

  /**
   * The service time of a read here; 0 if reads should not stay because of it. It is measured on
   * reads that succeed, so it does not describe a node that fails most of its reads.
   */
  static long serviceAtHome(Engine engine) {
    return engine.keepsHome() && !engine.nodes().faults().failsMost(engine.self())
        ? engine.load().serviceNanos()
        : 0;
  }

  /**
   * The price by rack and severity, as configured.
   *
   * @param severity a node's value set by an operator over JMX to keep reads away, otherwise 0
   */
  static Extra extra(
      PluginConfig config, IEndpointSnitch snitch, ToDoubleFunction<InetAddressAndPort> severity) {
    return endpoint -> {
      double nanos = severity(severity, endpoint) * config.severityPriceNanos();
      return isOwnRack(snitch, endpoint) ? nanos : nanos + config.rackPriceNanos();
    };
  }

  /** A peer sends its severity as text, which may be anything; an invalid one counts as 0. */
  private static double severity(
      ToDoubleFunction<InetAddressAndPort> severity, InetAddressAndPort endpoint) {
    try {
      double units = severity.applyAsDouble(endpoint);
      return units > 0 && units <= Double.MAX_VALUE ? units : 0;
    } catch (RuntimeException e) {
      return 0;
    }
  }

  /** A snitch may throw for a node that is not yet in its file; such a node counts as far. */
  private static boolean isOwnRack(IEndpointSnitch snitch, InetAddressAndPort endpoint) {
    try {
      return snitch.getRack(endpoint).equals(snitch.getLocalRack());
    } catch (RuntimeException e) {
      return false;
    }
  }
}
