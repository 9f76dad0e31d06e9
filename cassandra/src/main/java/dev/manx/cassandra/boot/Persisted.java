/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.config.ConfigException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.cassandra.utils.FBUtilities;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches that an operator made on the running node and that should survive a restart: rows of
 * {@code manx.strategy} in a separate file next to {@code manx.yaml}, which is never written. The
 * rows take precedence over {@code manx.yaml} at start-up and at a reload. Any thread.
 */
final class Persisted {
  private static final Logger logger = LoggerFactory.getLogger(Persisted.class);

  private final PersistedFile file;
  private final String self;
  // Another node that wrote the file last; empty if none did.
  private volatile String other = "";
  // Whether a mode that switches on is being written; its caller may have given up.
  private volatile boolean switchingOn;
  // Read by the status, which must not wait for a disk.
  private volatile Shown shown = new Shown(PersistedRows.NONE, "");

  /**
   * The rows that take precedence over the file, or the reason why the rows on disk do not.
   *
   * @param ignored empty if they take precedence
   */
  private record Shown(PersistedRows rows, String ignored) {}

  /** Creates the switches of an unknown node, which never recognizes another node's file. */
  Persisted(Path path) {
    this(path, "");
  }

  /**
   * @param self this node's name
   */
  Persisted(Path path, String self) {
    file = new PersistedFile(path);
    this.self = self;
  }

  /** Creates the file of this node. */
  static Persisted ofNode(Path path) {
    return new Persisted(path, FBUtilities.getBroadcastAddressAndPort().getHostAddressAndPort());
  }

  /**
   * Reads the file again.
   *
   * @return no rows if there is no file
   * @throws ConfigException if it cannot be read
   */
  synchronized PersistedRows read() {
    Optional<String> text = file.read();
    String writer = text.map(PersistedFile::writer).orElse("");
    String before = other;
    other = self.isEmpty() || writer.equals(self) ? "" : writer;
    if (!other.isEmpty() && !other.equals(before)) {
      logger.warn("Manx: {} {}", file, shared());
    }
    return PersistedRows.of(file, text);
  }

  private String shared() {
    return "was written by "
        + other
        + ", and this node is "
        + self
        + ": nodes that share a folder need different files, plugin.persisted-file";
  }

  /** Makes these rows take precedence. */
  synchronized void use(PersistedRows used) {
    shown = new Shown(used, "");
  }

  /** Loads the rows on disk again; none if they cannot be read. */
  synchronized void useAgain() {
    try {
      use(read());
    } catch (ConfigException e) {
      ignore(e.getMessage());
    }
  }

  /** Ignores the rows on disk. */
  synchronized void ignore(String why) {
    shown = new Shown(PersistedRows.NONE, why);
  }

  /** Whether the node ignores the rows on disk. */
  boolean isIgnored() {
    return !shown.ignored.isEmpty();
  }

  /**
   * Adds rows, with their present values, to those on disk.
   *
   * @throws ConfigException or {@link IllegalStateException} if they cannot be written; the
   *     persisted rows then stay unchanged
   */
  void add(Map<String, String> values) {
    add(values, () -> false);
  }

  /**
   * Adds rows as {@link #add(Map)} does, but a mode that switches the node on is left out if an
   * operator has switched off since its value was read. One call at a time.
   *
   * @param off whether an operator has switched off; also asked after the write, which may take
   *     long
   */
  void add(Map<String, String> values, BooleanSupplier off) {
    boolean switchesOn = switchesOn(values);
    // Before the first question: a switch to off is either visible in its answer, or sees this.
    switchingOn = switchesOn;
    try {
      synchronized (this) {
        Map<String, String> added = new TreeMap<>(values);
        if (switchesOn && off.getAsBoolean()) {
          added.remove(PersistedRows.MODE);
        }
        addRows(added);
        if (switchesOn && off.getAsBoolean()) {
          endMode();
        }
      }
    } finally {
      switchingOn = false;
    }
  }

  private static boolean switchesOn(Map<String, String> rows) {
    String mode = rows.get(PersistedRows.MODE);
    return mode != null && !mode.equals("off");
  }

  private void addRows(Map<String, String> values) {
    if (!shown.ignored.isEmpty()) {
      throw new IllegalStateException(
          "the persisted switches cannot be used ("
              + shown.ignored
              + "); delete them first: 'reset', or ./manx ctl reset-persisted");
    }
    Map<String, String> all = new TreeMap<>(read().values());
    all.putAll(values);
    use(write(all));
  }

  /**
   * Removes rows from those on disk; all rows if none is named.
   *
   * @throws ConfigException or {@link IllegalStateException} if the file cannot be written; the
   *     persisted rows then stay unchanged
   */
  synchronized void remove(List<String> names) {
    if (names.isEmpty()) {
      file.delete();
      use(PersistedRows.NONE);
      return;
    }
    Map<String, String> left = new TreeMap<>(read().values());
    left.keySet().removeAll(names);
    use(write(left));
  }

  /**
   * Whether the rows on disk, as last read or as they are being written, may switch the node on at
   * start-up.
   */
  boolean maySwitchOn() {
    boolean writing = switchingOn;
    Shown now = shown;
    return writing || !now.ignored.isEmpty() || switchesOn(now.rows.values());
  }

  /**
   * Removes a mode other than off from the rows on disk, whether the node uses it or not. A file
   * that cannot be read, or whose other rows are invalid for any node, is set aside.
   *
   * @return whether such a mode was persisted
   * @throws IllegalStateException if the file cannot be written
   */
  synchronized boolean endMode() {
    Map<String, String> left;
    try {
      left = new TreeMap<>(read().values());
    } catch (ConfigException e) {
      file.setAside();
      return true;
    }
    if (!switchesOn(left)) {
      return false;
    }
    left.remove(PersistedRows.MODE);
    try {
      PersistedRows written = write(left);
      if (shown.ignored.isEmpty()) {
        use(written);
      }
    } catch (ConfigException e) {
      file.setAside();
    }
    return true;
  }

  private PersistedRows write(Map<String, String> values) {
    if (values.isEmpty()) {
      file.delete();
      return PersistedRows.NONE;
    }
    String since = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
    Map<String, String> all = new TreeMap<>(values);
    all.put(PersistedRows.SINCE, since);
    String text = PersistedFile.text(all, self);
    PersistedRows next = PersistedRows.parse(file.toString(), text);
    if (!next.values().equals(values)) {
      throw new IllegalStateException("not persisted: the value would not read back unchanged");
    }
    next.judge();
    file.write(text);
    other = "";
    return next;
  }

  /** The persisted value of a row. */
  Optional<String> value(String name) {
    return Optional.ofNullable(shown.rows.values().get(name));
  }

  /** The rows of {@code manx.strategy}. */
  Map<String, String> describe() {
    Shown now = shown;
    Map<String, String> all = new TreeMap<>();
    now.rows.values().forEach((name, value) -> all.put("persisted." + name, value));
    String words = now.rows.isEmpty() ? "" : now.rows.words() + " in " + file;
    words += words.isEmpty() || other.isEmpty() ? "" : ", which " + shared();
    all.put("persisted", now.ignored.isEmpty() ? words : "ignored: " + now.ignored);
    return all;
  }
}
