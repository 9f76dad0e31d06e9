/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.control.Mode;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Strategy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reloads the node's configuration: the file, and the persisted switches on top of it. All of it is
 * validated before any of it is applied. Afterwards the node is in the same state as after a
 * restart, except for settings that need one, and except that a node that is off stays off. Invalid
 * persisted switches are ignored, as at start-up.
 */
final class Reload {
  private static final Logger logger = LoggerFactory.getLogger(Reload.class);
  private static final String CHECK = "check";
  private static final String NOW = "now";

  private final Parts parts;
  private final Switches switches;
  private final Builds builds;
  private final OneAtATime one = new OneAtATime();
  private final Path path;
  private volatile Persisted persisted;
  private volatile Map<String, String> answer = Map.of("reload", "", "reload-at", "");

  /** The result of no reload yet. */
  Reload(Parts parts, Switches switches, Builds builds, Start start) {
    this.parts = parts;
    this.switches = switches;
    this.builds = builds;
    path = start.path();
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
              + switches.refused()
              + "); correct the file and reload it, ./manx ctl reload");
    }
    return persisted;
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
   * @throws IllegalStateException if there is no file, or another switch is under way
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
    Persisted store =
        persisted == null ? Persisted.ofNode(own.plugin().persistedFile()) : persisted;
    String ignored = "";
    try {
      PersistedRows rows = store.read();
      if (!rows.isEmpty()) {
        return read(value, own.with(rows), store, ignored);
      }
    } catch (ConfigException e) {
      ignored = e.getMessage();
    }
    return read(value, own, store, ignored);
  }

  /**
   * Validates or applies a configuration.
   *
   * @param ignored why the persisted switches are no part of it; empty if they are
   */
  private Optional<Mode> read(String value, Configured next, Persisted store, String ignored) {
    boolean killed = Files.exists(next.plugin().killFile());
    Mode mode = mode(switches.mode(), next, killed);
    String said = Differences.of(parts, switches, next, mode, killed);
    said += ignored.isEmpty() ? "" : "; persisted switches ignored: " + ignored;
    if (value.equals(NOW)) {
      builds.alone(() -> act(next, killed));
      if (ignored.isEmpty()) {
        // A switch to off meanwhile has deleted a persisted mode.
        store.useAgain();
      } else {
        store.ignore(ignored);
        logger.error("MANX IGNORES ITS PERSISTED SWITCHES and uses {} alone: {}", path, ignored);
      }
      persisted = store;
      logger.info("Manx reloaded {}: {}", path, said);
    }
    String did = value.equals(NOW) ? "read" : "checked";
    answer =
        Map.of("reload", did + " " + path + ": " + said, "reload-at", Instant.now().toString());
    return value.equals(NOW) ? Optional.of(next.plugin().mode()) : Optional.empty();
  }

  /** A reload never leaves mode off, unless only the refused file had kept the node off. */
  private Mode mode(Mode now, Configured next, boolean killed) {
    boolean staysOff = now == Mode.OFF && switches.refused().isEmpty();
    return killed || staysOff ? Mode.OFF : next.plugin().mode();
  }

  private void act(Configured next, boolean killed) {
    Strategy strategy =
        next.strategy().document().equals(switches.strategy().document())
            ? switches.strategy()
            : builds.build(next.file(), next.strategy());
    Mode before = switches.mode();
    boolean onlyKilled = killed && mode(before, next, false) != Mode.OFF;
    switches.take(now -> mode(now, next, killed), strategy, () -> parts.take(next.plugin()));
    if (onlyKilled) {
      switches.off("the kill file " + next.plugin().killFile() + " exists");
    }
    parts.recorder.take(next.record());
    if (switches.mode() != before) {
      parts.measures.modeChanged();
    }
  }

  /** The changes that a reload makes, in words. */
  private static final class Differences {
    private Differences() {}

    static String of(Parts parts, Switches switches, Configured next, Mode mode, boolean killed) {
      Map<String, String> now = new TreeMap<>();
      now.putAll(SettingRows.of(parts.now(switches.mode())));
      now.putAll(SettingRows.of(parts.recorder.config()));
      Map<String, String> asked = new TreeMap<>();
      asked.putAll(
          SettingRows.of(
              next.plugin().with(mode, next.plugin().calmAfterNanos(), next.plugin().canary())));
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
      if (mode != next.plugin().mode()) {
        said.add(
            "mode stays off, though the configuration says "
                + next.plugin().mode().label()
                + (killed
                    ? ": the kill file " + next.plugin().killFile() + " exists"
                    : ": ./manx ctl mode switches it"));
      }
      return String.join("; ", said);
    }
  }
}
