/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.load.connect.ConnectException;
import dev.manx.operate.text.Screen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads passwords from files or the terminal, never from the command line, which other users can
 * see.
 */
final class Passwords {
  private Passwords() {}

  /**
   * The first line of a file.
   *
   * @throws ConnectException if it cannot be read or is empty
   */
  static String in(Path file) {
    try {
      String line = Files.readString(file).lines().findFirst().orElse("");
      if (!line.isEmpty()) {
        return line;
      }
      throw new ConnectException("the password file " + file + " is empty");
    } catch (IOException e) {
      throw new ConnectException("the password file " + file + " cannot be read: " + e, e);
    }
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
