/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Cassandra's user: the owner of Cassandra's data, because another user may run this command.
 *
 * @param data the folder of the data
 * @param its the attributes of this folder
 */
record CassandraUser(Path data, PosixFileAttributes its) {
  private static final Pattern DATA =
      Pattern.compile(
          "(?m)^data_file_directories:\\s*(?:\\[\\s*|\\n?\\s*-\\s+)[\"']?([^\"'\\s,\\]]+)");

  /** The user; empty if there is no data folder, or the file system has no owners. */
  static Optional<CassandraUser> of(CassandraHome home) {
    return data(home)
        .flatMap(data -> attributes(data).map(attributes -> new CassandraUser(data, attributes)));
  }

  String name() {
    return its.owner().getName();
  }

  /** Whether an access is allowed. */
  enum Access {
    YES,
    /** Only to members of the file's group, or by an access control list. */
    BY_GROUP,
    NO
  }

  /** Whether this user may write to a folder. */
  Access writes(PosixFileAttributes folder) {
    return access(
        folder,
        PosixFilePermission.OWNER_WRITE,
        PosixFilePermission.GROUP_WRITE,
        PosixFilePermission.OTHERS_WRITE);
  }

  /** Whether this user may read a file. */
  Access reads(PosixFileAttributes file) {
    return access(
        file,
        PosixFilePermission.OWNER_READ,
        PosixFilePermission.GROUP_READ,
        PosixFilePermission.OTHERS_READ);
  }

  /*
   * The user's own groups are not known, but a data folder's group is usually one of them. Where a
   * file has an access control list, the group's permissions are the most that the list allows.
   */
  private Access access(
      PosixFileAttributes file,
      PosixFilePermission owners,
      PosixFilePermission groups,
      PosixFilePermission others) {
    boolean group = file.permissions().contains(groups);
    if (name().equals("root")
        || its.owner().equals(file.owner()) && file.permissions().contains(owners)
        || its.group().equals(file.group()) && group
        || file.permissions().contains(others)) {
      return Access.YES;
    }
    return group && !its.owner().equals(file.owner()) ? Access.BY_GROUP : Access.NO;
  }

  /** The condition for {@link Access#BY_GROUP}. */
  String unlessInGroup(PosixFileAttributes file) {
    return "unless " + name() + " is in group " + file.group().getName();
  }

  /**
   * Reports an error if a file exists that this user cannot read, and a warning if that depends on
   * its groups.
   */
  void mustRead(Path file, String effect, Findings found) {
    attributes(file).ifPresent(attributes -> mustRead(file, attributes, effect, found));
  }

  private void mustRead(Path file, PosixFileAttributes attributes, String effect, Findings found) {
    String text =
        "it belongs to "
            + attributes.owner().getName()
            + " ("
            + PosixFilePermissions.toString(attributes.permissions())
            + "), and Cassandra's data ("
            + data
            + ") to "
            + name()
            + ", who cannot read it";
    String remedy = "chmod a+r " + file;
    switch (reads(attributes)) {
      case YES -> {}
      case BY_GROUP ->
          found.warning(
              file.toString(),
              text + " " + unlessInGroup(attributes) + ": " + effect,
              "`id " + name() + "` lists its groups. If it is not a member: " + remedy);
      case NO -> found.error(file.toString(), text + ": " + effect, remedy);
    }
  }

  /** Cassandra's first data folder, or the folder that will contain it; empty if neither exists. */
  static Optional<Path> data(CassandraHome home) {
    Path data = named(home);
    return Optional.of(data).filter(Files::isDirectory).or(() -> parent(data));
  }

  /**
   * Whether Cassandra has run as root on this data. The owner of a folder alone does not show it:
   * another user may have named any folder of root in {@code cassandra.yaml}, or linked to it.
   */
  static boolean isRoot(CassandraHome home) {
    Path data = named(home);
    return Stream.of(data, data.resolve("system_schema"))
        .allMatch(
            folder ->
                Files.isDirectory(folder)
                    && attributes(folder)
                        .filter(its -> its.owner().getName().equals(RunByRoot.ROOT))
                        .isPresent());
  }

  private static Path named(CassandraHome home) {
    Matcher named = DATA.matcher(home.yaml());
    return named.find() ? Path.of(named.group(1)) : home.home().resolve("data/data");
  }

  private static Optional<Path> parent(Path data) {
    return Optional.ofNullable(data.getParent()).filter(Files::isDirectory);
  }

  /** The attributes of a file; empty if it does not exist. */
  static Optional<PosixFileAttributes> attributes(Path file) {
    try {
      return Optional.of(Files.readAttributes(file, PosixFileAttributes.class));
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.empty();
    }
  }
}
