/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The folder of one server's process, in the folder for temporary files: its settings, its output
 * and its own files. Only this user can enter it, where the file system has permissions.
 */
final class ServerFolder {
  private static final String PREFIX = "manx-cache-";
  private static final Pattern OWNED = Pattern.compile(PREFIX + "([0-9]{1,9})-[0-9]+");

  private final Path path;
  private final Path output;

  private ServerFolder(Path path) throws IOException {
    this.path = path;
    output = Files.createTempFile(path, "output-", ".log");
  }

  /** Creates a folder, and removes the folders of JVMs that were killed before they could do so. */
  static ServerFolder create() throws IOException {
    return create(Path.of(System.getProperty("java.io.tmpdir")));
  }

  static ServerFolder create(Path parent) throws IOException {
    Path path = Files.createTempDirectory(parent, PREFIX + ProcessHandle.current().pid() + "-");
    removeLeftovers(parent, Files.getOwner(path));
    return new ServerFolder(path);
  }

  /**
   * Removes only this user's folders: all users share the folder for temporary files, and another
   * user could exchange a folder for a link while it is being deleted.
   */
  private static void removeLeftovers(Path parent, UserPrincipal user) {
    try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, PREFIX + "*")) {
      for (Path folder : folders) {
        Matcher name = OWNED.matcher(folder.getFileName().toString());
        if (name.matches()
            && ProcessHandle.of(Long.parseLong(name.group(1))).isEmpty()
            && Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(user)) {
          delete(folder);
        }
      }
    } catch (IOException | UncheckedIOException e) {
      // Another process may be removing it too.
    }
  }

  /** The folder. */
  Path path() {
    return path;
  }

  /** The file of the process's output. */
  Path output() {
    return output;
  }

  /** Writes a file that only this user can read, with a name that ends like the given one. */
  Path write(String name, String text) throws IOException {
    return Files.writeString(Files.createTempFile(path, "", "-" + name), text);
  }

  /** Deletes the folder; idempotent. */
  void delete() {
    delete(path);
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException | UncheckedIOException e) {
      // A later JVM removes it.
    }
  }
}
