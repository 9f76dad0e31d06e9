/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.record.OwnerOnly;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.NodeSettings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A small YAML file of names and texts. It is replaced as a whole, so that a crash leaves the old
 * or the new one, and only its owner may read or write it. One thread at a time.
 */
final class PersistedFile {
  /** The file's default name. */
  static final String NAME = (String) NodeSettings.PERSISTED_FILE.standard();

  /** The largest size that is read or written. */
  static final int MOST_BYTES = 64 * 1024;

  private static final String MARK = "# Written by Manx.";
  private static final String HEAD =
      MARK
          + " Switches that an operator persisted on this node. They override\n"
          + "# manx.yaml. To delete them: ./manx ctl reset-persisted, or delete this file.\n";
  private static final String NODE = "# Node: ";

  private final Path path;

  PersistedFile(Path path) {
    this.path = path.toAbsolutePath();
  }

  /**
   * Returns the file's text; empty if there is no file.
   *
   * @throws ConfigException if it cannot be read, or is not a small regular file
   */
  Optional<String> read() {
    // Not the opposite of exists(): a file below a folder that cannot be entered is neither.
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      if (!Files.readAttributes(path, BasicFileAttributes.class).isRegularFile()) {
        throw refused("not a regular file", "a regular file");
      }
      try (InputStream in = Files.newInputStream(path)) {
        byte[] bytes = in.readNBytes(MOST_BYTES + 1);
        if (bytes.length > MOST_BYTES) {
          throw refused("more than " + MOST_BYTES + " bytes", "a file as Manx writes it");
        }
        return Optional.of(new String(bytes, StandardCharsets.UTF_8));
      }
    } catch (IOException e) {
      throw ConfigException.unreadable(path.toString(), FileWords.why(e));
    }
  }

  private ConfigException refused(String what, String allowed) {
    return new ConfigException(path.toString(), 0, "", what, allowed);
  }

  /**
   * Replaces the file.
   *
   * @throws IllegalStateException if it cannot be written; the old file then stays
   */
  void write(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (bytes.length > MOST_BYTES) {
      throw new IllegalStateException(
          "not persisted: " + bytes.length + " bytes, and at most " + MOST_BYTES + " are kept");
    }
    Path next = path.resolveSibling(path.getFileName() + ".new");
    mustBeOwn();
    try {
      Files.deleteIfExists(next);
      try (FileChannel out = FileChannel.open(next, create(), OwnerOnly.permissions(next))) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        while (buffer.hasRemaining()) {
          out.write(buffer);
        }
        out.force(true);
      }
      Files.move(next, path, StandardCopyOption.ATOMIC_MOVE);
      force(path.getParent());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private static Set<StandardOpenOption> create() {
    return Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
  }

  /** Forces the file's new name to disk too, where folders can be forced. */
  private static void force(Path folder) {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      // Not supported by every file system.
    }
  }

  /**
   * Removes the file.
   *
   * @throws IllegalStateException if it cannot be removed
   */
  void delete() {
    mustBeOwn();
    try {
      Files.deleteIfExists(path);
      force(path.getParent());
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /** Renames the file, so that it is not read again. */
  void setAside() {
    mustBeOwn();
    try {
      Files.move(
          path,
          path.resolveSibling(path.getFileName() + ".aside"),
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  /**
   * A file under another name that was not written by Manx is neither replaced nor removed, even if
   * a setting names it.
   */
  private void mustBeOwn() {
    if (path.endsWith(NAME) || Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    byte[] mark = MARK.getBytes(StandardCharsets.UTF_8);
    boolean own = false;
    try (InputStream in = Files.newInputStream(path)) {
      own = Arrays.equals(in.readNBytes(mark.length), mark);
    } catch (IOException e) {
      throw failed(e);
    }
    if (!own) {
      throw new IllegalStateException(
          path
              + " was not written by Manx and is left as it is; remove it, or name another in"
              + " plugin.persisted-file");
    }
  }

  private IllegalStateException failed(IOException e) {
    return new IllegalStateException(
        "not persisted: "
            + path
            + " cannot be written ("
            + FileWords.why(e)
            + "); the user that runs Cassandra must be able to write to its folder, or"
            + " plugin.persisted-file must name another");
  }

  /**
   * Names and texts in this file.
   *
   * @param node the node that writes it; empty if unknown
   */
  static String text(Map<String, String> values, String node) {
    StringBuilder yaml = new StringBuilder(HEAD);
    if (!node.isEmpty()) {
      yaml.append(NODE).append(node).append('\n');
    }
    new TreeMap<>(values)
        .forEach(
            (name, value) -> yaml.append(name).append(": ").append(quoted(value)).append('\n'));
    return yaml.toString();
  }

  /** The node that wrote a text; empty if unknown. */
  static String writer(String text) {
    return text.lines()
        .takeWhile(line -> line.startsWith("#"))
        .filter(line -> line.startsWith(NODE))
        .map(line -> line.substring(NODE.length()).strip())
        .findFirst()
        .orElse("");
  }

  private static String quoted(String value) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : value.toCharArray()) {
      if (c == '"' || c == '\\') {
        quoted.append('\\').append(c);
      } else if (c == '\n') {
        quoted.append("\\n");
      } else if (Character.isISOControl(c) || c == '\u2028' || c == '\u2029' || c == '\ufeff') {
        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
      } else {
        quoted.append(c);
      }
    }
    return quoted.append('"').toString();
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
