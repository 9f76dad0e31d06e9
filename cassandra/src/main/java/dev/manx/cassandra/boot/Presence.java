/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.copy.Copier;
import dev.manx.cassandra.hold.Holds;
import dev.manx.cassandra.latency.TableTimers;
import dev.manx.cassandra.message.NodeMessages;
import dev.manx.cassandra.tied.Ties;
import dev.manx.policy.strategy.Strategy;
import java.util.function.Supplier;

/**
 * Manx in Cassandra's path: its hooks and their state, which enter and leave the path as a whole.
 * {@link Switches} triggers that, one change at a time; any thread may read the parts.
 */
final class Presence {
  private final Parts parts;
  private final TableTimers timers;
  private final InFlight inFlight;
  private final Copier copier;
  private final Ties ties;
  private final Holds holds;
  private final NodeMessages messages;
  private final Hooks hooks;
  private volatile boolean installed;

  /**
   * Begins outside the path.
   *
   * @param engines the present engine; null while Manx is off
   * @param strategies the present strategy, in any mode
   */
  Presence(Parts parts, Supplier<Engine> engines, Supplier<Strategy> strategies) {
    this.parts = parts;
    timers =
        new TableTimers(
            () -> ThreadPlan.current().times(), t -> parts.guard.fault("the timing of a read", t));
    inFlight = new InFlight(parts.config().keysInFlight(), parts.config().bytesInFlight());
    copier = new Copier(engines, parts.clock);
    ties = new Ties(engines, parts.clock);
    holds = new Holds(engines, parts.clock);
    messages = new NodeMessages(engines);
    ties.listen(messages);
    PeerEvents peers = new PeerEvents(engines, parts, strategies);
    hooks = new Hooks(engines, peers, inFlight, timers, copier, ties, holds);
  }

  Hooks hooks() {
    return hooks;
  }

  Copier copier() {
    return copier;
  }

  Ties ties() {
    return ties;
  }

  Holds holds() {
    return holds;
  }

  NodeMessages messages() {
    return messages;
  }

  InFlight inFlight() {
    return inFlight;
  }

  TableTimers timers() {
    return timers;
  }

  /** Installs the hooks, or switches installed ones, to an engine that they already see. */
  void enter(Engine engine) {
    if (installed) {
      hooks.use(engine);
    } else {
      installed = true;
      hooks.install(engine);
    }
    holds.releaseOthers();
    parts.queues.watching(hooks.states().isInstalled(Hook.READ_STAGE));
  }

  /** Leaves the path, if in it; the ends of outstanding reads will not be seen. */
  void leave() {
    if (installed) {
      installed = false;
      hooks.remove();
      copier.ends().forget(() -> parts.counters.count(Counter.COPIES_LOST));
      parts.cancelAll();
    }
  }
}
