/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whether root may run the plugin's jar: not if another user could change the code. The node itself
 * runs it without root's rights.
 */
final class RunByRoot {
  static final String ROOT = "root";

  private static final int STICKY = 0x200;

  private RunByRoot() {}

  /**
   * Why root may not run a jar and the jars of its folder.
   *
   * @param text which file another user could change
   * @param todo the remedy
   */
  record Refusal(String text, String todo) {}

  /**
   * Looks at the jars, their folder and the folders above.
   *
   * @param cassandra Cassandra's user; empty if unknown
   * @return empty if no other user could change the code
   */
  static Optional<Refusal> refusal(Path jar, Optional<String> cassandra) {
    Path folder = jar.toAbsolutePath().getParent();
    Set<Path> files = new LinkedHashSet<>();
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
      for (Path one : jars) {
        addWithParents(one, files);
        addWithParents(one.toRealPath(), files);
      }
    } catch (IOException e) {
      return Optional.of(new Refusal(folder + " cannot be read", "Run this as Cassandra's user."));
    }
    for (Path file : files) {
      Optional<Refusal> refusal =
          CassandraUser.attributes(file)
              .flatMap(its -> refusal(file, its, isSticky(file, folder), cassandra));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  private static void addWithParents(Path file, Set<Path> files) {
    for (Path one = file; one != null; one = one.getParent()) {
      files.add(one);
    }
  }

  /**
   * Whether others may add files to a folder but not replace those of root, as in /tmp. New files
   * in the folder of the jars would be run.
   */
  private static boolean isSticky(Path file, Path folder) {
    try {
      return Files.isDirectory(file)
          && !Files.isSameFile(file, folder)
          && ((int) Files.getAttribute(file, "unix:mode") & STICKY) != 0;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return false;
    }
  }

  /**
   * Whether another user than root could change a file or what is in a folder.
   *
   * @param sticky whether it is a folder in which only the owners of files replace them
   */
  static Optional<Refusal> refusal(
      Path file, PosixFileAttributes its, boolean sticky, Optional<String> cassandra) {
    String owner = its.owner().getName();
    Set<PosixFilePermission> permissions = its.permissions();
    String shown = " (" + PosixFilePermissions.toString(permissions) + ")";
    Optional<String> user = cassandra.filter(name -> !name.equals(ROOT));
    if (!owner.equals(ROOT)) {
      return Optional.of(
          new Refusal(file + " belongs to " + owner + shown, runAs(user.orElse(owner))));
    }
    String group = its.group().getName();
    boolean byAll = permissions.contains(PosixFilePermission.OTHERS_WRITE);
    boolean byGroup = permissions.contains(PosixFilePermission.GROUP_WRITE) && !group.equals(ROOT);
    if (sticky || !byAll && !byGroup) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(
            file + " can be changed by " + (byAll ? "every user" : "group " + group) + shown,
            user.map(RunByRoot::runAs).orElse("chmod go-w " + file)));
  }

  private static String runAs(String user) {
    return "Run this as " + user + ": sudo -u " + user + " ./manx check ...";
  }
}
