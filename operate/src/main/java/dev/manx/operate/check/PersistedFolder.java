/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.operate.check.CassandraUser.Access;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.Optional;

/** Checks that Cassandra's user can write the file of persisted settings. */
final class PersistedFolder {
  private PersistedFolder() {}

  /**
   * Warns if the file is not writable.
   *
   * @param user Cassandra's; empty if unknown
   * @param file the file of persisted settings
   */
  static void look(Optional<CassandraUser> user, Path file, Findings found) {
    Path folder = file.toAbsolutePath().getParent();
    String todo =
        "A switch with --persist would not survive a restart. Set plugin.persisted-file to a file in"
            + " a folder that Cassandra's user can write to, such as"
            + " /var/lib/cassandra/manx.persisted.yaml; that needs a restart.";
    if (!Files.isDirectory(folder)) {
      found.warning(file.toString(), "missing folder " + folder, todo);
      return;
    }
    Optional<PosixFileAttributes> its = CassandraUser.attributes(folder);
    if (its.isEmpty() || user.isEmpty()) {
      return;
    }
    Access access = user.get().writes(its.get());
    if (access == Access.YES) {
      return;
    }
    found.warning(
        file.toString(),
        "the folder belongs to "
            + its.get().owner().getName()
            + ", and Cassandra's data ("
            + user.get().data()
            + ") to "
            + user.get().name()
            + ", who cannot write to it"
            + (access == Access.BY_GROUP ? " " + user.get().unlessInGroup(its.get()) : ""),
        todo);
  }
}
