/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.boot.Hook.State;
import dev.manx.cassandra.coordinate.ManxSnitch;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.IEndpointSnitch;

/**
 * Manx's snitch in front of the node's. It stands in the path only while decisions are acted upon,
 * and an operator may set another snitch over it.
 */
final class SnitchHook {
  private final Supplier<Engine> engines;
  private final HookStates states;

  /**
   * @param engines the engine of the moment; null while Manx is off
   */
  SnitchHook(Supplier<Engine> engines, HookStates states) {
    this.engines = engines;
    this.states = states;
  }

  /** The snitch in use, without Manx's. */
  static IEndpointSnitch stock() {
    IEndpointSnitch snitch = DatabaseDescriptor.getEndpointSnitch();
    IEndpointSnitch stock = DynamicSnitch.stockOf(snitch);
    return stock == null ? snitch : stock;
  }

  private static boolean standsInFront() {
    return DynamicSnitch.stockOf(DatabaseDescriptor.getEndpointSnitch()) != null;
  }

  /** Puts it into the path, or takes it out, as the engine needs it. */
  void use(Engine engine) {
    if (!engine.acting()) {
      remove();
      states.note(Hook.SNITCH, State.STOCK, "not needed in mode " + engine.mode().label());
    } else if (!states.isInstalled(Hook.OUTBOUND)) {
      // Other nodes' reads would not be counted, so all of them would look idle.
      remove();
      states.note(Hook.SNITCH, State.STOCK, "needs the hook outbound, which is not installed");
    } else if (!standsInFront()) {
      install();
    }
  }

  private void install() {
    states.attempt(
        Hook.SNITCH,
        "org.apache.cassandra.config.DatabaseDescriptor.setEndpointSnitch",
        () -> {
          Shape.complete(ManxSnitch.class);
          IEndpointSnitch stock = stock();
          DatabaseDescriptor.setEndpointSnitch(DynamicSnitch.inFrontOf(stock, engines));
          return "in front of " + stock.getClass().getName();
        });
  }

  /** Takes it out of the path. */
  void remove() {
    states.attemptRemoval(
        Hook.SNITCH,
        () -> {
          if (standsInFront()) {
            DatabaseDescriptor.setEndpointSnitch(stock());
          }
        });
  }

  /**
   * Whether another snitch was set (as JMX updateSnitch does): over Manx's, or in place of the one
   * that the engine asks where nodes are.
   */
  boolean isDisplaced() {
    Engine engine = engines.get();
    return states.isInstalled(Hook.SNITCH) && !standsInFront()
        || engine != null && engine.stockSnitch() != stock();
  }
}
