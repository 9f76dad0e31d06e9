/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.boot.Hook.State;
import dev.manx.cassandra.coordinate.ManxSnitch;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.locator.IEndpointSnitch;

/**
 * Manx's snitch in front of the node's. It is in the path only while decisions take effect, and an
 * operator may set another snitch in its place.
 */
final class SnitchHook {
  private final Supplier<Engine> engines;
  private final HookStates states;

  /**
   * @param engines the present engine; null while Manx is off
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

  /** Puts the snitch into the path, or removes it, as the engine needs it. */
  void use(Engine engine) {
    if (!engine.acting()) {
      remove();
      states.note(Hook.SNITCH, State.STOCK, "not needed in mode " + engine.mode().label());
    } else if (!states.isInstalled(Hook.OUTBOUND)) {
      // Otherwise other nodes' reads would not be counted, so all of them would look idle.
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
          HookShape.complete(ManxSnitch.class);
          HookShape.passesOn(ManxSnitch.class, IEndpointSnitch.class);
          HookShape.passesOn(DynamicSnitch.class, IEndpointSnitch.class);
          IEndpointSnitch stock = stock();
          DatabaseDescriptor.setEndpointSnitch(DynamicSnitch.inFrontOf(stock, engines));
          return "in front of " + stock.getClass().getName();
        });
  }

  /** Removes the snitch from the path. */
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
   * Whether another snitch was set (as JMX updateSnitch does): in place of Manx's, or of the snitch
   * that the engine uses for locations.
   */
  boolean isDisplaced() {
    Engine engine = engines.get();
    return states.isInstalled(Hook.SNITCH) && !standsInFront()
        || engine != null && engine.stockSnitch() != stock();
  }
}
