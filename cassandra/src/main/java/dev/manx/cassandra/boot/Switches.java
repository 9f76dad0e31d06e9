/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.coordinate.InFlight;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.cassandra.copy.Copier;
import dev.manx.cassandra.latency.TableTimers;
import dev.manx.policy.strategy.Strategy;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the current engine: every switch of mode or strategy goes through here, by CQL, JMX, file or
 * breaker. Any thread.
 */
/*
 * Switches are serialized by a lock that is never waited for longer than half a second, because a
 * policy's code may run with it held and may never return. Off does not need it: without an engine every
 * hook is as good as gone, and the holder of the lock takes them out when it ends. Policies
 * are built outside the lock.
 */
final class Switches {
  private static final Logger logger = LoggerFactory.getLogger(Switches.class);
  private static final long LOCK_MILLIS = 500;

  private final Parts parts;
  private final Ticker ticker;
  private final TableTimers timers;
  private final Hooks hooks;
  private final InFlight inFlight;
  private final Copier copier;
  private final ReentrantLock switching = new ReentrantLock();
  private final AtomicInteger offs = new AtomicInteger();
  // How often Manx had been switched off when the change began that holds the lock.
  private int offsBefore;
  private volatile Engine engine;
  private volatile Strategy strategy;
  // The last one with an oracle, so that a switch to a strategy without one and back forgets
  // nothing.
  private volatile Strategy learned;
  private volatile Mode mode = Mode.OFF;
  private volatile boolean installed;
  private volatile String trouble;
  // Why the file was refused; the strategy is then empty and must not be switched on.
  private volatile String refused;

  /**
   * Begins off.
   *
   * @param strategy the first
   * @param refused why the file was refused; empty if it was not
   */
  Switches(Parts parts, Strategy strategy, String refused) {
    this.parts = parts;
    this.strategy = strategy;
    this.trouble = refused;
    this.refused = refused;
    ticker =
        new Ticker(parts, this::engine, () -> hooks().closeEndedPeers(), () -> hooks().sweep());
    timers =
        new TableTimers(
            () -> ThreadPlan.current().times(), t -> parts.guard.fault("the timing of a read", t));
    inFlight = new InFlight(parts.config().keysInFlight(), parts.config().bytesInFlight());
    copier = new Copier(this::engine, parts.clock);
    hooks = new Hooks(this::engine, new Peers(this::engine), inFlight, timers, copier);
  }

  /**
   * Restarts a timer whose thread has died or hangs. The first one also expires outstanding reads
   * while Manx is off.
   */
  void ensure() {
    ticker.ensure();
    copier.ensure();
  }

  /** The engine of the moment; null while Manx is off. */
  Engine engine() {
    return engine;
  }

  Mode mode() {
    return mode;
  }

  Strategy strategy() {
    return strategy;
  }

  /** The last strategy with an oracle; null if there was none. */
  Strategy learned() {
    return learned;
  }

  /** Why Manx is off though it was to be on; empty if all is well. */
  String trouble() {
    return trouble;
  }

  /** Why the file was refused; empty if it was not, or a document was set since. */
  String refused() {
    return refused;
  }

  Hooks hooks() {
    return hooks;
  }

  Copier copier() {
    return copier;
  }

  InFlight inFlight() {
    return inFlight;
  }

  TableTimers timers() {
    return timers;
  }

  /**
   * Switches to shadow mode or on.
   *
   * @throws IllegalStateException if another switch is under way, or there is no strategy
   */
  void mode(Mode wanted) {
    if (!refused.isEmpty()) {
      throw new IllegalStateException(
          "there is no strategy to switch on: the configuration was rejected at start-up ("
              + refused
              + "); correct the file and reload it (./manx ctl reload), or set a document");
    }
    change(
        () -> {
          parts.breaker.reset();
          trouble = "";
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
          if (!refused.isEmpty()) {
            refused = "";
            trouble = "";
          }
          apply(mode, next);
        });
  }

  /**
   * Takes up other settings, and with them a strategy and a mode, all at once.
   *
   * @param wanted the mode to take up from the one of the moment
   * @param settings puts the settings in force
   * @throws IllegalStateException if another switch is under way
   */
  void take(UnaryOperator<Mode> wanted, Strategy next, Runnable settings) {
    change(
        () -> {
          Mode taken = wanted.apply(mode);
          if (!refused.isEmpty()) {
            refused = "";
            trouble = "";
          }
          settings.run();
          inFlight.bound(parts.config().keysInFlight(), parts.config().bytesInFlight());
          apply(taken, next);
        });
  }

  /**
   * Takes the mode up again that the breaker had interrupted.
   *
   * @param interrupted that mode; off if an operator has switched off since
   * @throws IllegalStateException if another switch is under way
   */
  void resume(Supplier<Mode> interrupted) {
    change(
        () -> {
          if (mode != Mode.OFF) {
            // An operator was faster.
            return;
          }
          trouble = "";
          apply(interrupted.get(), strategy);
        });
  }

  /** Takes all hooks out and puts them in again. */
  void renew() {
    change(
        () -> {
          Mode wanted = mode;
          offNow("");
          apply(wanted, strategy);
        });
  }

  // What a change goes by is read after this, so that a switch to off is either seen by it or
  // counted.
  private void change(Runnable change) {
    int before = offs.get();
    if (!locked()) {
      throw new IllegalStateException("another switch is under way; try again, or switch off");
    }
    try {
      offsBefore = before;
      change.run();
    } finally {
      switching.unlock();
    }
    logger.info("Manx is {}; strategy {}", mode.label(), strategy.names());
  }

  private boolean locked() {
    try {
      return switching.tryLock(LOCK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Puts a mode and a strategy to work together; all hooks see one engine. With the lock held.
   * Where that fails halfway Manx is off.
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
    if (next.sizes() != null) {
      learned = next;
    }
    if (wanted == Mode.OFF) {
      offNow(trouble);
      return;
    }
    parts.guard.stalls().forget();
    ticker.ensure();
    Engine acting = parts.engine(wanted, next, copier);
    parts.queues.seen(parts.clock.nanoTime());
    mode = wanted;
    engine = acting;
    if (installed) {
      hooks.use(acting);
    } else {
      installed = true;
      hooks.install(acting);
    }
    parts.queues.watching(hooks.isInstalled(Hook.READ_STAGE));
    if (engine != acting || offs.get() != offsBefore) {
      // Switched off since this change was asked for, by an operator or a breaker who did not wait.
      offNow(trouble);
    }
  }

  /** At once for all who ask from now on; the hooks stay in the path. Never blocks. */
  void stop() {
    engine = null;
  }

  /** Switches off at once; the hooks leave the path at once too, or when the lock is free. */
  void off(String why) {
    // Counted on both sides: a change that put its engine in before this sees the first count, one
    // that takes this for an earlier switch sees the mode, and one between the two the second
    // count.
    offs.incrementAndGet();
    engine = null;
    mode = Mode.OFF;
    offs.incrementAndGet();
    offNow(why);
  }

  private void offNow(String why) {
    engine = null;
    mode = Mode.OFF;
    trouble = why;
    if (switching.isHeldByCurrentThread()) {
      leavePath();
    } else if (locked()) {
      try {
        // A change that came first may have switched on meanwhile.
        engine = null;
        mode = Mode.OFF;
        trouble = why;
        leavePath();
      } finally {
        switching.unlock();
      }
    } else {
      logger.error(
          "Manx is off, but a policy does not return from a call; the hooks are removed when it"
              + " does");
    }
  }

  private void leavePath() {
    if (installed) {
      installed = false;
      hooks.remove();
      copier.ends().forget(() -> parts.counters.count(Counter.COPIES_LOST));
      parts.cancelAll();
    }
  }
}
