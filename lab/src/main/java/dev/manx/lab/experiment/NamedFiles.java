/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;

/**
 * The files that an experiment names: their places, which the resolved file has as absolute paths
 * because it lies in another folder, and their contents, which an interrupted run must find again.
 * Confined to one thread while the experiment is read.
 */
public final class NamedFiles {
  private final Path folder;
  private final Map<String, String> contents = new TreeMap<>();

  /**
   * @param experiment the file whose folder relative names refer to
   */
  NamedFiles(Path experiment) {
    folder = experiment.toAbsolutePath().getParent();
  }

  /** The absolute path of a file. */
  public Path path(ConfigNode name) {
    return folder.resolve(name.text()).normalize();
  }

  /**
   * Records the contents of a file that the experiment uses.
   *
   * @return its absolute path as text
   * @throws dev.manx.policy.config.ConfigException if it cannot be read
   */
  public String used(ConfigNode name) {
    Path path = path(name);
    contents.computeIfAbsent(path.toString(), any -> contents(name, path));
    return path.toString();
  }

  /** Size and checksum of each used file by its path. */
  public Map<String, String> contents() {
    return Map.copyOf(contents);
  }

  private static String contents(ConfigNode name, Path path) {
    try {
      return contents(path);
    } catch (IOException e) {
      throw name.refuse("a readable file (looked for " + path + ")");
    }
  }

  /** Size and checksum of a file. */
  public static String contents(Path path) throws IOException {
    CRC32 crc = new CRC32();
    try (InputStream in = new CheckedInputStream(Files.newInputStream(path), crc)) {
      long bytes = in.transferTo(OutputStream.nullOutputStream());
      return "%d bytes with checksum %08x".formatted(bytes, crc.getValue());
    }
  }
}
