/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.ConfigException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Persists an operator's switches on the running node, and deletes persisted ones. Any thread. */
final class Persisting {
  private static final Logger logger = LoggerFactory.getLogger(Persisting.class);
  private static final long DISK_MILLIS = 1_000;

  // A write to a busy disk takes seconds; the caller is one of Cassandra's request threads.
  private static final long PERSIST_MILLIS = 5_000;

  private final DiskCalls disk = new DiskCalls("manx-persisted");
  private final Reload reload;
  private final Supplier<Map<String, String>> switchable;
  private final long persistMillis;
  private final long diskMillis;
  // Switches to off.
  private final AtomicLong offs = new AtomicLong();
  private Thread ends;

  /**
   * @param reload provides the persisted switches
   * @param switchable the rows of {@code manx.strategy}, with values that can be set again
   */
  Persisting(Reload reload, Supplier<Map<String, String>> switchable) {
    this(reload, switchable, PERSIST_MILLIS, DISK_MILLIS);
  }

  Persisting(
      Reload reload,
      Supplier<Map<String, String>> switchable,
      long persistMillis,
      long diskMillis) {
    this.persistMillis = persistMillis;
    this.diskMillis = diskMillis;
    this.reload = reload;
    this.switchable = switchable;
  }

  /** Persists switches, or deletes persisted ones, as {@link Control#persist} describes. */
  void persist(String value) {
    boolean reset = value.startsWith("reset");
    String list = reset ? value.substring("reset".length()) : value;
    List<String> names =
        Arrays.stream(list.split("[, ]+", -1)).filter(name -> !name.isEmpty()).toList();
    if (!PersistedRows.NAMES.containsAll(names) || names.isEmpty() && !reset) {
      throw new ConfigException(
          "manx.strategy",
          0,
          "persisted",
          value,
          "one or more of "
              + String.join(", ", PersistedRows.NAMES)
              + "; or reset, alone or followed by names");
    }
    Persisted persisted = reload.persisted();
    if (reset) {
      disk.run(() -> persisted.remove(names), persistMillis);
    } else {
      long before = offs.get();
      Map<String, String> rows = switchable.get();
      rows.keySet().retainAll(names);
      disk.run(() -> persisted.add(rows, () -> offs.get() != before), persistMillis);
    }
    logger.info("Manx: persisted now: {}", reload.describe().get("persisted"));
  }

  /** A node that an operator switched off must not be on after a restart. */
  void endMode() {
    offs.incrementAndGet();
    if (!reload.maySwitchOn()) {
      return;
    }
    // A disk that hangs must block neither the client that switched off nor the node.
    Thread writer = writer();
    try {
      writer.join(diskMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (writer.isAlive()) {
      logger.error(
          "MANX IS OFF, but a persisted mode may return after a restart: its file was not updated"
              + " within a second");
    }
  }

  /** A thread that ends the mode on disk; the last one, if it is still running. */
  private synchronized Thread writer() {
    if (ends == null || !ends.isAlive()) {
      ends = new Thread(this::endModes, "manx-persisted");
      ends.setDaemon(true);
      ends.start();
    }
    return ends;
  }

  /** Repeats for each switch to off meanwhile: a mode may have been persisted before it. */
  private void endModes() {
    long seen;
    do {
      seen = offs.get();
      endModeOnDisk();
    } while (!isLast(seen));
  }

  private synchronized boolean isLast(long seen) {
    boolean last = offs.get() == seen;
    if (last) {
      ends = null;
    }
    return last;
  }

  private void endModeOnDisk() {
    try {
      if (reload.persisted().endMode()) {
        logger.info(
            "Manx: switched off, so the persisted mode was deleted; after a restart the"
                + " mode in manx.yaml applies");
      }
    } catch (RuntimeException e) {
      logger.error("MANX IS OFF, but a persisted mode may return after a restart", e);
    }
  }
}
