/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Mode;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches automatically: off for the kill file, an open breaker or a policy that does not return;
 * on again when the breaker allows a retry; to another snitch once one was set. Checks four times a
 * second on the control thread, which runs no policy code and waits for no disk.
 */
final class AutoSwitch {
  private static final Logger logger = LoggerFactory.getLogger(AutoSwitch.class);
  static final long WATCH_MILLIS = 250;
  private static final int LOOKS_PER_SECOND = 4;

  private final Parts parts;
  private final Switches switches;
  private final LongConsumer eachSecond;
  private final ScheduledExecutorService control = daemon("manx-control");
  // The disk of the kill file may hang.
  private final ScheduledExecutorService disk = daemon("manx-kill-file");
  private final KillFile killFile;
  private final SwitchRunner runner;
  // Used by the control thread only.
  private int looks;
  private int looksWithoutEngine;
  // The mode that the breaker ended, for a retry.
  private volatile Mode interrupted = Mode.OFF;

  /**
   * @param eachSecond further work on this thread; gets the time
   */
  AutoSwitch(Parts parts, Switches switches, KillFile killFile, LongConsumer eachSecond) {
    this(parts, switches, killFile, eachSecond, new SwitchRunner());
  }

  AutoSwitch(
      Parts parts,
      Switches switches,
      KillFile killFile,
      LongConsumer eachSecond,
      SwitchRunner runner) {
    this.runner = runner;
    this.parts = parts;
    this.switches = switches;
    this.killFile = killFile;
    this.eachSecond = eachSecond;
  }

  private static ScheduledExecutorService daemon(String name) {
    return Executors.newSingleThreadScheduledExecutor(
        task -> {
          Thread thread = new Thread(task, name);
          thread.setDaemon(true);
          return thread;
        });
  }

  void begin() {
    disk.scheduleWithFixedDelay(this::lookForKillFile, 0, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    control.scheduleWithFixedDelay(this::look, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void lookForKillFile() {
    try {
      killFile.look();
    } catch (VirtualMachineError e) {
      VmErrors.inspect(e);
    } catch (Throwable t) {
      failed("could not check for the kill file", t);
    }
  }

  // A scheduled task ends when it throws.
  private static void failed(String what, Throwable t) {
    try {
      logger.warn("Manx: {}", what, t);
    } catch (Throwable ofTheLog) {
      // The error cannot be reported anywhere else.
    }
  }

  KillFile killFile() {
    return killFile;
  }

  /** The mode that the open breaker has ended; off if it has not ended one. */
  Mode interrupted() {
    return parts.breaker.isOpen() ? interrupted : Mode.OFF;
  }

  /** The mode that the open breaker will restore by itself; off if it will not. */
  Mode retried() {
    return parts.breaker.triesAgain() ? interrupted : Mode.OFF;
  }

  /** Records that an operator switched off: no retry follows. */
  void forget() {
    interrupted = Mode.OFF;
  }

  /** Records a reload: a retry goes no further than the configured mode. */
  void limit(Mode configured) {
    Mode limited = limited(interrupted, configured);
    if (interrupted != Mode.OFF && limited == Mode.OFF) {
      endRetry();
      switches.off("");
    }
    interrupted = limited;
  }

  /** The mode of a retry after a reload. */
  static Mode limited(Mode interrupted, Mode configured) {
    return configured.compareTo(interrupted) < 0 ? configured : interrupted;
  }

  /** An open breaker announces a retry. */
  private void endRetry() {
    interrupted = Mode.OFF;
    parts.breaker.reset();
  }

  /** Called on the failing thread; the hooks leave the path on the control thread. */
  void breakerOpened() {
    Mode was = switches.mode();
    switches.stop();
    control.execute(
        () -> {
          if (was == Mode.OFF || !parts.breaker.isOpen()) {
            // An operator has switched meanwhile.
            return;
          }
          interrupted = was;
          off("the breaker opened (" + parts.breaker.describe(parts.clock.nanoTime()) + ")");
        });
  }

  private void off(String why) {
    switches.off(why);
    logger.error("MANX IS OFF: {}. The node works as stock.", why);
  }

  void look() {
    try {
      long now = parts.clock.nanoTime();
      boolean second = looks++ % LOOKS_PER_SECOND == 0;
      if (switches.mode() != Mode.OFF && !runner.isBusy()) {
        // Restored, or replaced by an operator: a later switch that fails must not bring it back.
        interrupted = Mode.OFF;
      }
      if (killFile.wasThere() && interrupted != Mode.OFF) {
        endRetry();
        off(killFile.words());
      }
      if (runner.isStuck(now)) {
        parts.guard.stuck(
            "a policy of " + switches.strategy().names() + " does not return from a switch");
        off("the breaker opened (" + parts.breaker.describe(now) + ")");
      } else if (switches.mode() != Mode.OFF) {
        lookAtWork(second, now);
      } else if (interrupted != Mode.OFF && !runner.isBusy() && parts.breaker.tryAgain(now)) {
        parts.counters.count(Counter.BREAKER_HALF_OPENED);
        logger.info("Manx tries again: the breaker is half-open");
        tryAgain(now);
      }
      if (!runner.isBusy()) {
        // The breaker must not close before it is known whether the mode could be restored.
        parts.breaker.settle(now);
      }
      if (second) {
        switches.ensure();
        eachSecond.accept(now);
      }
    } catch (VirtualMachineError e) {
      VmErrors.inspect(e);
    } catch (Throwable t) {
      failed("the control thread failed; it continues", t);
    }
  }

  private void tryAgain(long now) {
    try {
      runner.run(this::resume, now);
    } catch (Throwable t) {
      // No thread could be started.
      notResumed(t);
    }
  }

  private void resume() {
    try {
      switches.resume(() -> interrupted);
    } catch (Throwable t) {
      notResumed(t);
    }
  }

  private void notResumed(Throwable t) {
    long now = parts.clock.nanoTime();
    // Half-open without an engine, the breaker would close without a retry.
    if (parts.breaker.reopen("Manx could not be switched on again: " + t, now)) {
      parts.counters.count(Counter.BREAKER_OPENED);
      off("the breaker opened (" + parts.breaker.describe(now) + ")");
    }
    failed(t);
  }

  private void renew() {
    try {
      switches.renew();
    } catch (Throwable t) {
      failed(t);
    }
  }

  private static void failed(Throwable t) {
    if (t instanceof VirtualMachineError && !(t instanceof StackOverflowError)) {
      VmErrors.inspect((VirtualMachineError) t);
    } else {
      logger.warn("Manx: an automatic switch failed", t);
    }
  }

  private void lookAtWork(boolean second, long now) {
    if (killFile.wasThere()) {
      off(killFile.words());
    } else if (parts.breaker.isOpen()) {
      // The breaker opened in the middle of a switch, when there was no mode to leave.
      interrupted = switches.mode();
      off("the breaker opened (" + parts.breaker.describe(now) + ")");
    } else if (parts.guard.stalls().look(now)) {
      parts.guard.stuck(
          "a policy of " + switches.strategy().names() + " does not return from a call");
    } else if (isWithoutEngine() && !runner.isBusy()) {
      logger.info(
          "Manx: a late fault of the previous mode stopped this one; it is switched on again");
      runner.run(this::renew, now);
    } else if (second && !runner.isBusy() && switches.presence().hooks().snitchDisplaced()) {
      logger.info("Manx: another snitch was set; Manx works with it from now on");
      runner.run(this::renew, now);
    } else if (second) {
      switches.presence().hooks().lookAtOrder();
    }
  }

  /**
   * Whether a mode has had no engine for two checks. A thread that opened the breaker may have been
   * delayed until an operator had closed it and switched on again, and then stops the new engine.
   */
  private boolean isWithoutEngine() {
    looksWithoutEngine = switches.engine() == null ? looksWithoutEngine + 1 : 0;
    return looksWithoutEngine > 1;
  }
}
