/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.connect.ConnectException;
import dev.manx.load.connect.FileReasons;
import dev.manx.operate.text.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads passwords from files or the terminal, never from the command line, which other users can
 * see.
 */
public final class Passwords {
  private static final Logger logger = LoggerFactory.getLogger(Passwords.class);

  private Passwords() {}

  /**
   * The first line of a file. Logs a warning if other users can read the file.
   *
   * @throws ConnectException if it cannot be read or is empty
   */
  static String in(Path file) {
    try {
      String line = Files.readString(file).lines().findFirst().orElse("");
      if (!line.isEmpty()) {
        exposed(file, "password file").ifPresent(logger::warn);
        return line;
      }
      throw new ConnectException("the password file " + file + " is empty");
    } catch (IOException e) {
      throw new ConnectException(
          "the password file " + file + " cannot be read: " + FileReasons.why(e), e);
    }
  }

  /**
   * A warning if the file's group or others can read it.
   *
   * @param kind of file, for the warning
   */
  public static Optional<String> exposed(Path file, String kind) throws IOException {
    PosixFileAttributeView view = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (view == null) {
      return Optional.empty();
    }
    Set<PosixFilePermission> all = view.readAttributes().permissions();
    return all.contains(PosixFilePermission.GROUP_READ)
            || all.contains(PosixFilePermission.OTHERS_READ)
        ? Optional.of(
            "other users can read the "
                + kind
                + " "
                + file
                + " ("
                + PosixFilePermissions.toString(all)
                + "): chmod 600 "
                + file)
        : Optional.empty();
  }

  /**
   * Asks for the password on the terminal.
   *
   * @throws ConnectException without a terminal
   */
  static String asked(String user) {
    char[] typed =
        Screen.isTerminal() ? System.console().readPassword("Password of %s: ", user) : null;
    if (typed == null) {
      throw new ConnectException(
          "no terminal to ask for the password of " + user + ": give --password-file FILE");
    }
    return new String(typed);
  }
}
