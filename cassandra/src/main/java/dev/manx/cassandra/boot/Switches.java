/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Mode;
import dev.manx.policy.strategy.Strategy;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.cassandra.concurrent.Stage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the current engine: every switch of mode or strategy goes through this class, whether by
 * CQL, JMX, file or breaker. Any thread.
 */
/*
 * Policy code may run with the lock held and may never return. So off does not need the lock:
 * without an engine every hook is inactive, and the holder of the lock removes the hooks when it
 * ends. Policies are built outside the lock, one at a time.
 */
final class Switches {
  private static final Logger logger = LoggerFactory.getLogger(Switches.class);

  private final Parts parts;
  private final Ticker ticker;
  private final Presence presence;
  private final Conversations conversations;
  private final ChangeLock lock = new ChangeLock();
  private final Trouble trouble;
  private volatile Engine engine;
  private volatile Strategy strategy;
  private final KeptOracles keptOracles = new KeptOracles(NodeLimits.mostBytes());
  private volatile Mode mode = Mode.OFF;

  /**
   * Starts in mode off.
   *
   * @param strategy the initial strategy
   * @param refused why the file was refused; empty if it was not
   */
  Switches(Parts parts, Strategy strategy, String refused) {
    this.parts = parts;
    this.strategy = strategy;
    trouble = new Trouble(refused);
    presence = new Presence(parts, this::engine, this::strategy);
    Hooks hooks = presence.hooks();
    conversations = new Conversations(presence.messages());
    ticker = new Ticker(parts, this::engine, hooks::endPeersAndTies, hooks::sweep, conversations);
  }

  /**
   * Restarts a timer whose thread has died or hangs. The first timer also expires outstanding reads
   * while Manx is off.
   */
  void ensure() {
    ticker.ensure();
    presence.copier().ensure();
    presence.ties().ensure();
    presence.holds().ensure();
  }

  /** The present engine; null while Manx is off. */
  Engine engine() {
    return engine;
  }

  Mode mode() {
    return mode;
  }

  Strategy strategy() {
    return strategy;
  }

  /** The learnt data of strategies no longer in force. */
  KeptOracles keptOracles() {
    return keptOracles;
  }

  /** Why Manx is off although configured to be on; empty if there is no trouble. */
  String trouble() {
    return trouble.now();
  }

  /** Why the file was refused; empty if it was not, or if a document was set since. */
  String refused() {
    return trouble.refused();
  }

  /** Manx in Cassandra's path. */
  Presence presence() {
    return presence;
  }

  /** The messages between this node and others. */
  Conversations conversations() {
    return conversations;
  }

  /**
   * Switches to shadow mode or on.
   *
   * @throws IllegalStateException if another switch is under way, or there is no strategy
   */
  void mode(Mode wanted) {
    trouble.mustHaveStrategy();
    change(
        () -> {
          parts.breaker.reset();
          trouble.is("");
          apply(wanted, strategy);
        });
  }

  /**
   * Switches to another strategy.
   *
   * @throws IllegalStateException if another switch is under way
   */
  void strategy(Strategy next) {
    change(
        () -> {
          trouble.strategyTaken();
          apply(mode, next);
        });
  }

  /**
   * Applies other settings together with a strategy and a mode.
   *
   * @param wanted maps the present mode to the new one
   * @param settings puts the settings in force
   * @throws IllegalStateException if another switch is under way
   */
  void take(UnaryOperator<Mode> wanted, Strategy next, Runnable settings) {
    change(
        () -> {
          Mode taken = wanted.apply(mode);
          trouble.strategyTaken();
          settings.run();
          presence.inFlight().bound(parts.config().keysInFlight(), parts.config().bytesInFlight());
          apply(taken, next);
        });
  }

  /**
   * Restores the mode that the breaker had interrupted.
   *
   * @param interrupted that mode; off if an operator has switched off since
   * @throws IllegalStateException if another switch is under way
   */
  void resume(Supplier<Mode> interrupted) {
    change(
        () -> {
          if (mode != Mode.OFF) {
            // An operator has switched first.
            return;
          }
          trouble.is("");
          apply(interrupted.get(), strategy);
        });
  }

  /** Removes all hooks and installs them again. */
  void renew() {
    change(
        () -> {
          Mode wanted = mode;
          offNow("");
          apply(wanted, strategy);
        });
  }

  private void change(Runnable change) {
    lock.change(change);
    logger.info("Manx is {}; strategy {}", mode.label(), strategy.names());
  }

  /**
   * Activates a mode and a strategy together; all hooks see one engine. Called with the lock held.
   * If it fails halfway, Manx is off.
   */
  private void apply(Mode wanted, Strategy next) {
    try {
      put(wanted, next);
    } catch (Throwable t) {
      offNow("a switch failed: " + t);
      throw t;
    }
  }

  private void put(Mode wanted, Strategy next) {
    strategy = next;
    keptOracles.inForce(next);
    if (wanted == Mode.OFF) {
      offNow(trouble.now());
      return;
    }
    parts.guard.stalls().forget();
    ticker.ensure();
    Engine acting =
        parts.engine(
            wanted,
            next,
            presence.copier(),
            presence.ties(),
            presence.holds(),
            presence.messages());
    boolean waiting = Stage.READ.executor().getPendingTaskCount() > 0;
    if (waiting || engine == null) {
      parts.queues.begin(waiting, parts.clock.nanoTime());
    }
    mode = wanted;
    engine = acting;
    presence.enter(acting);
    if (engine != acting || lock.offSince()) {
      // Switched off since this change was requested, by an operator or breaker that did not wait
      // for the lock.
      offNow(trouble.now());
    }
  }

  /** Takes effect at once for all later calls; the hooks stay in the path. Never blocks. */
  void stop() {
    engine = null;
  }

  /** Switches off at once; the hooks leave the path at once too, or when the lock is free. */
  void off(String why) {
    // Counted on both sides: a change that activated its engine before this sees the first count; a
    // change that mistakes this for an earlier switch sees the mode; a change between the two sees
    // the second count.
    lock.countOff();
    engine = null;
    mode = Mode.OFF;
    lock.countOff();
    offNow(why);
  }

  private void offNow(String why) {
    setOff(why);
    boolean left =
        lock.within(
            () -> {
              // A change that came first may have switched on meanwhile.
              setOff(why);
              presence.leave();
            });
    if (!left) {
      logger.error(
          "Manx is off, but a policy does not return from a call; the hooks are removed when it"
              + " does");
    }
  }

  private void setOff(String why) {
    engine = null;
    mode = Mode.OFF;
    trouble.is(why);
  }
}
