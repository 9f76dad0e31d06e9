/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the node's configuration: the file, and the persisted switches on top of it. All of it is
 * validated before any of it is applied. Afterwards the node is in the same state as after a
 * restart, except for settings that need a restart, and except that a node that is off stays off.
 * Invalid persisted switches are refused by a node that uses them; a node that ignores them
 * continues to do so.
 */
final class Reload {
  private static final Logger logger = LoggerFactory.getLogger(Reload.class);
  private static final String CHECK = "check";
  private static final String NOW = "now";

  private final Parts parts;
  private final Switches switches;
  private final Builds builds;
  private final KillFile killFile;
  private final Supplier<Mode> retried;
  private final OneAtATime one = new OneAtATime();
  private final Path path;
  // Kept here: Switches forgets it when a strategy is set by CQL.
  private final String refusedAtStart;
  private final boolean killFileKnown;
  private volatile Persisted persisted;
  private volatile Map<String, String> answer = Map.of("reload", "", "reload-at", "");

  /**
   * Starts without a reload.
   *
   * @param retried the mode that the breaker will restore by itself; off for none
   */
  Reload(
      Parts parts,
      Switches switches,
      Builds builds,
      KillFile killFile,
      Supplier<Mode> retried,
      Start start) {
    this.parts = parts;
    this.switches = switches;
    this.builds = builds;
    this.killFile = killFile;
    this.retried = retried;
    path = start.path();
    refusedAtStart = start.refused();
    killFileKnown = start.killFileKnown();
    persisted = start.persisted();
  }

  /**
   * The persisted switches.
   *
   * @throws IllegalStateException if their file is unknown because the configuration was refused
   */
  Persisted persisted() {
    if (persisted == null) {
      throw new IllegalStateException(
          "nothing can be persisted: the configuration was refused at start-up ("
              + refusedAtStart
              + "); correct the file and reload it, ./manx ctl reload");
    }
    return persisted;
  }

  /**
   * Checks that the kill file is that of the configuration.
   *
   * @throws IllegalStateException if the configuration was refused and its kill file is unknown
   */
  void mustKnowKillFile() {
    if (persisted == null && !killFileKnown) {
      throw new IllegalStateException(
          "the kill file is unknown: the configuration was refused at start-up ("
              + refusedAtStart
              + "); correct the file and reload it, ./manx ctl reload");
    }
  }

  /** Whether persisted switches might switch this node on at a restart. Reads no file. */
  boolean maySwitchOn() {
    return persisted == null ? path != null : persisted.maySwitchOn();
  }

  /** The rows of {@code manx.strategy}. */
  Map<String, String> describe() {
    Map<String, String> rows = new TreeMap<>(answer);
    rows.putAll(persisted == null ? Map.of("persisted", "") : persisted.describe());
    return rows;
  }

  /**
   * Validates or reloads.
   *
   * @param value {@code check} to validate only, {@code now} to apply
   * @return the configured mode, if applied
   * @throws ConfigException if anything is refused; nothing has changed then
   * @throws IllegalStateException if there is no file, its kill file cannot be checked, or another
   *     switch is under way; nothing has changed then
   */
  Optional<Mode> run(String value) {
    if (!value.equals(CHECK) && !value.equals(NOW)) {
      throw new ConfigException("manx.strategy", 0, "reload", value, CHECK + ", " + NOW);
    }
    if (path == null) {
      throw new IllegalStateException(
          "no manx.yaml was found at start-up; create it and restart the node");
    }
    return one.run(() -> read(value));
  }

  private Optional<Mode> read(String value) {
    Configured own = Configured.read(path);
    // A node that uses persisted switches must not switch, for example on, because they cannot be
    // read now.
    boolean mayIgnore = persisted == null || persisted.isIgnored();
    Persisted store =
        persisted == null ? Persisted.ofNode(own.plugin().persistedFile()) : persisted;
    NodeLimits.check(
        own.file() + ", with what only a restart changes",
        own.plugin().withFixedOf(parts.config()));
    Next next = next(own, store, mayIgnore);
    if (value.equals(CHECK)) {
      answer("checked", said(next));
      return Optional.empty();
    }
    AtomicReference<Next> applied = new AtomicReference<>();
    builds.alone(
        () -> {
          applied.set(built(next, own, mayIgnore));
          apply(applied.get(), store);
        });
    return Optional.of(applied.get().configured.plugin().mode());
  }

  /**
   * A validated configuration.
   *
   * @param killed whether its kill file keeps the node off
   * @param ignored why the persisted switches are not part of the configuration; empty if they are
   * @param strategy null before it is built
   */
  private record Next(Configured configured, boolean killed, String ignored, Strategy strategy) {
    static Next of(Configured configured, String ignored) {
      // A reload to off must not depend on the kill file.
      boolean killed =
          configured.plugin().mode() != Mode.OFF
              && KillFile.isOnDisk(configured.plugin().killFile());
      return new Next(configured, killed, ignored, null);
    }

    /** The file alone, or the exception if the node uses its persisted switches. */
    static Next ignoring(Configured own, boolean mayIgnore, ConfigException why) {
      if (!mayIgnore) {
        throw why;
      }
      return of(own, why.getMessage());
    }

    Next with(Strategy built) {
      return new Next(configured, killed, ignored, built);
    }
  }

  private static Next next(Configured own, Persisted store, boolean mayIgnore) {
    try {
      PersistedRows rows = store.read();
      return Next.of(rows.isEmpty() ? own : own.with(rows), "");
    } catch (ConfigException e) {
      return Next.ignoring(own, mayIgnore, e);
    }
  }

  private Next built(Next next, Configured own, boolean mayIgnore) {
    try {
      return next.with(strategy(next.configured));
    } catch (ConfigException e) {
      if (next.configured == own) {
        throw e;
      }
      return Next.ignoring(own, mayIgnore, e).with(strategy(own));
    }
  }

  private Strategy strategy(Configured next) {
    return next.strategy().document().equals(switches.strategy().document())
        ? switches.strategy()
        : builds.build(next.file(), next.strategy());
  }

  private String said(Next next) {
    Mode mode = mode(switches.mode(), next.configured, next.killed);
    String said =
        new Differences(parts, switches, retried.get()).of(next.configured, mode, next.killed);
    return next.ignored.isEmpty() ? said : said + "; persisted switches ignored: " + next.ignored;
  }

  private void answer(String did, String said) {
    answer =
        Map.of("reload", did + " " + path + ": " + said, "reload-at", Instant.now().toString());
  }

  private void apply(Next next, Persisted store) {
    String said = said(next);
    act(next.configured, next.strategy, next.killed);
    if (next.ignored.isEmpty()) {
      // A switch to off meanwhile has deleted a persisted mode.
      store.useAgain();
    } else {
      store.ignore(next.ignored);
      logger.error("MANX IGNORES ITS PERSISTED SWITCHES and uses {} alone: {}", path, next.ignored);
    }
    persisted = store;
    logger.info("Manx reloaded {}: {}", path, said);
    answer("read", said);
  }

  /** A reload never leaves mode off, unless only the refused file had kept the node off. */
  private Mode mode(Mode now, Configured next, boolean killed) {
    boolean staysOff = now == Mode.OFF && switches.refused().isEmpty();
    return killed || staysOff ? Mode.OFF : next.plugin().mode();
  }

  private void act(Configured next, Strategy strategy, boolean killed) {
    Mode before = switches.mode();
    boolean onlyKilled = killed && mode(before, next, false) != Mode.OFF;
    switches.take(now -> mode(now, next, killed), strategy, () -> parts.take(next.plugin()));
    ThreadPlan.keepReads(NodeLimits.keptReads(parts.config()));
    if (onlyKilled) {
      killFile.look();
      switches.off(killFile.words());
    }
    parts.recorder.take(next.record());
    if (switches.mode() != before) {
      parts.measures.modeChanged();
    }
  }

  /** The changes that a reload makes, in words. */
  private record Differences(Parts parts, Switches switches, Mode retried) {
    String of(Configured next, Mode mode, boolean killed) {
      Mode wanted = next.plugin().mode();
      // A mode that the breaker will restore counts as the present one.
      boolean retries = retried != Mode.OFF && !killed;
      Mode limited = AutoSwitch.limited(retried, wanted);
      Map<String, String> now = new TreeMap<>();
      now.putAll(SettingRows.of(parts.now(retries ? retried : switches.mode())));
      now.putAll(SettingRows.of(parts.recorder.config()));
      Map<String, String> asked = new TreeMap<>();
      asked.putAll(
          SettingRows.of(
              next.plugin()
                  .with(
                      retries ? limited : mode,
                      next.plugin().calmAfterNanos(),
                      next.plugin().canary())));
      asked.putAll(SettingRows.of(next.record()));
      List<String> changed = new ArrayList<>();
      List<String> fixed = new ArrayList<>();
      asked.forEach(
          (key, value) -> {
            if (!value.equals(now.get(key))) {
              (SettingRows.FIXED.contains(key) ? fixed : changed)
                  .add(key + " " + now.get(key) + " -> " + value);
            }
          });
      if (!next.strategy().document().equals(switches.strategy().document())) {
        Map<String, String> before = switches.strategy().names();
        Map<String, String> after = next.strategy().names();
        changed.add(
            before.equals(after)
                ? "strategy: other settings of the same policies"
                : "strategy " + before.values() + " -> " + after.values());
      }
      List<String> said = new ArrayList<>();
      said.add(changed.isEmpty() ? "nothing changes" : String.join(", ", changed));
      if (!fixed.isEmpty()) {
        said.add("needs a restart: " + String.join(", ", fixed));
      }
      if (retries && limited != Mode.OFF) {
        said.add("mode stays off until the breaker tries again, in mode " + limited.label());
      } else if (mode != wanted) {
        said.add(
            "mode stays off, though the configuration says "
                + wanted.label()
                + (killed
                    ? ": the kill file " + next.plugin().killFile() + " exists"
                    : ": ./manx ctl mode switches it"));
      }
      return String.join("; ", said);
    }
  }
}
