/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Checks that Cassandra's user can write the file of persisted settings. This user is the owner of
 * Cassandra's data, because another user may run this command.
 */
final class PersistedFolder {
  private static final Pattern DATA =
      Pattern.compile(
          "(?m)^data_file_directories:\\s*(?:\\[\\s*|\\n?\\s*-\\s+)[\"']?([^\"'\\s,\\]]+)");

  private PersistedFolder() {}

  /**
   * Warns if the file is not writable.
   *
   * @param file the file of persisted settings
   */
  static void look(CassandraHome home, Path file, Findings found) {
    Path folder = file.toAbsolutePath().getParent();
    String todo =
        "A switch with --persist would not survive a restart. Set plugin.persisted-file to a file in"
            + " a folder that Cassandra's user can write to, such as"
            + " /var/lib/cassandra/manx.persisted.yaml; that needs a restart.";
    if (!Files.isDirectory(folder)) {
      found.warning(file.toString(), "missing folder " + folder, todo);
      return;
    }
    Optional<Path> data = data(home);
    Optional<PosixFileAttributes> its = attributes(folder);
    Optional<PosixFileAttributes> cassandras = data.flatMap(PersistedFolder::attributes);
    if (its.isEmpty() || cassandras.isEmpty() || mayWrite(cassandras.get(), its.get())) {
      return;
    }
    found.warning(
        file.toString(),
        "the folder belongs to "
            + its.get().owner().getName()
            + ", and Cassandra's data ("
            + data.get()
            + ") to "
            + cassandras.get().owner().getName()
            + ", who cannot write to it",
        todo);
  }

  /** Whether the owner of one folder may write to another. */
  static boolean mayWrite(PosixFileAttributes owner, PosixFileAttributes folder) {
    return owner.owner().getName().equals("root")
        || owner.owner().equals(folder.owner())
            && folder.permissions().contains(PosixFilePermission.OWNER_WRITE)
        || owner.group().equals(folder.group())
            && folder.permissions().contains(PosixFilePermission.GROUP_WRITE)
        || folder.permissions().contains(PosixFilePermission.OTHERS_WRITE);
  }

  /** Cassandra's first data folder, or the folder that will contain it; empty if neither exists. */
  static Optional<Path> data(CassandraHome home) {
    Path yaml = home.conf().resolve("cassandra.yaml");
    String text = "";
    try {
      text = Files.isReadable(yaml) ? Files.readString(yaml) : "";
    } catch (IOException e) {
      // Cassandra reports this error.
    }
    Matcher named = DATA.matcher(text);
    Path data = named.find() ? Path.of(named.group(1)) : home.home().resolve("data/data");
    return Optional.of(data).filter(Files::isDirectory).or(() -> parent(data));
  }

  private static Optional<Path> parent(Path data) {
    return Optional.ofNullable(data.getParent()).filter(Files::isDirectory);
  }

  private static Optional<PosixFileAttributes> attributes(Path folder) {
    try {
      return Optional.of(Files.readAttributes(folder, PosixFileAttributes.class));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }
}
