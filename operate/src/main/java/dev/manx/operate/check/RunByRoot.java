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
import java.util.regex.Pattern;

/**
 * Whether root may run the plugin's jar: not if another user could change the code. A node runs it
 * with the rights of Cassandra's user; where that is root, a refusal would protect nothing.
 */
final class RunByRoot {
  static final String ROOT = "root";

  private static final int STICKY = 0x200;
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final Pattern PLAIN = Pattern.compile("[\\w./+:@=,-]+");

  private RunByRoot() {}

  /**
   * Why root may not run a jar and the jars of its folder.
   *
   * @param text which file another user could change
   * @param todo the remedy
   */
  record Refusal(String text, String todo) {}

  /**
   * How another user than root can do the check.
   *
   * @param jar the plugin, which can check a file itself
   * @param config the file to check
   * @param cassandra Cassandra's user; empty if unknown
   */
  record Remedy(Path jar, Path config, Optional<String> cassandra) {
    /** Empty if sudo does not know Cassandra's user by a name, or it is root. */
    private Optional<String> user() {
      return cassandra.filter(name -> !name.equals(ROOT) && !isNumber(name));
    }

    private String runAs(String user) {
      String sudo = "sudo -u " + user;
      return "Run this as %s: %s ./manx check ... (in a checkout that %s can read)"
              .formatted(user, sudo, user)
          + ", or %s java -jar %s %s".formatted(sudo, shell(jar), shell(config));
    }
  }

  /**
   * Looks at the jars, their folder, the folders above, and what links name.
   *
   * @return empty if no other user could change the code
   */
  static Optional<Refusal> refusal(Remedy remedy) {
    Path folder = remedy.jar().toAbsolutePath().getParent();
    Set<Path> files = new LinkedHashSet<>();
    // New files in these would be run.
    Set<Path> extended = new LinkedHashSet<>(Set.of(folder));
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(folder, "*.{jar,JAR}")) {
      for (Path one : jars) {
        addWithParents(one, files, extended);
      }
    } catch (IOException e) {
      return Optional.of(new Refusal(folder + " cannot be read", "Run this as Cassandra's user."));
    }
    for (Path file : files) {
      Optional<Refusal> refusal =
          CassandraUser.attributes(file)
              .flatMap(its -> refusal(file, its, isSticky(file, extended), remedy));
      if (refusal.isPresent()) {
        return refusal;
      }
    }
    return Optional.empty();
  }

  /**
   * Adds a file, the folders above, and the same of the target of each link among them.
   *
   * @param extended gets the folder in which the missing target of a link could be created
   */
  private static void addWithParents(Path file, Set<Path> files, Set<Path> extended)
      throws IOException {
    for (Path one = file; one != null && files.add(one); one = one.getParent()) {
      if (Files.isSymbolicLink(one)) {
        addWithParents(one.resolveSibling(Files.readSymbolicLink(one)), files, extended);
      }
    }
    if (Files.notExists(file) && !Files.isSymbolicLink(file)) {
      Path folder = file.getParent();
      while (Files.notExists(folder)) {
        folder = folder.getParent();
      }
      extended.add(folder);
    }
  }

  /** Whether others may add files to a folder but not replace those of root, as in /tmp. */
  private static boolean isSticky(Path file, Set<Path> extended) {
    try {
      if (!Files.isDirectory(file)) {
        return false;
      }
      for (Path folder : extended) {
        if (Files.isSameFile(file, folder)) {
          return false;
        }
      }
      return ((int) Files.getAttribute(file, "unix:mode") & STICKY) != 0;
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
      Path file, PosixFileAttributes its, boolean sticky, Remedy remedy) {
    String owner = its.owner().getName();
    Set<PosixFilePermission> permissions = its.permissions();
    String shown = " (" + PosixFilePermissions.toString(permissions) + ")";
    Optional<String> user = remedy.user();
    if (!owner.equals(ROOT)) {
      // An owner without a name is a user of another machine, as after unpacking an archive.
      String todo =
          user.or(() -> Optional.of(owner).filter(name -> !isNumber(name)))
              .map(remedy::runAs)
              .orElse("chown root " + shell(file));
      return Optional.of(new Refusal(file + " belongs to " + owner + shown, todo));
    }
    String group = its.group().getName();
    boolean byAll = permissions.contains(PosixFilePermission.OTHERS_WRITE);
    // The group of root is no exception: an access list shows its mask here, and in some containers
    // every user is in that group.
    boolean byGroup = permissions.contains(PosixFilePermission.GROUP_WRITE);
    if (sticky || !byAll && !byGroup) {
      return Optional.empty();
    }
    return Optional.of(
        new Refusal(
            file + " can be changed by " + (byAll ? "every user" : "group " + group) + shown,
            user.map(remedy::runAs).orElse("chmod go-w " + shell(file))));
  }

  private static boolean isNumber(String name) {
    return NUMBER.matcher(name).matches();
  }

  /** A path as one word of a shell: another user may have chosen the name. */
  private static String shell(Path path) {
    String name = path.toAbsolutePath().toString();
    return PLAIN.matcher(name).matches() ? name : "'" + name.replace("'", "'\\''") + "'";
  }
}
