/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The folders of journals.
 *
 * @param own where this user's squeezes write: below {@code /run}, which is emptied at boot, when
 *     all priorities are stock too; without write permission, below the user's home
 * @param all where journals are looked for: of root, of this user, and of the user who called sudo
 */
public record JournalFolders(Path own, List<Path> all) {
  private static final Path RUN = Path.of("/run");
  private static final Path HOMES = Path.of("/home");
  private static final String NAME = "manx";

  /** Copies the list. */
  public JournalFolders {
    all = List.copyOf(all);
  }

  /** Those of this user. */
  public static JournalFolders ofUser() {
    String users;
    try {
      users = Files.readString(Path.of("/etc/passwd"), StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      users = "";
    }
    return of(
        Files.isWritable(RUN), Path.of(System.getProperty("user.home")), System.getenv(), users);
  }

  /**
   * The folders of a user.
   *
   * @param mayRun whether the user may write below {@code /run}
   * @param environment of this process
   * @param users text of {@code /etc/passwd}
   */
  static JournalFolders of(
      boolean mayRun, Path home, Map<String, String> environment, String users) {
    Path run = RUN.resolve(NAME);
    List<Path> all = new ArrayList<>(List.of(run, below(home)));
    if (environment.containsKey("SUDO_UID")) {
      String uid = environment.get("SUDO_UID");
      users
          .lines()
          .map(line -> line.split(":", -1))
          .filter(fields -> fields.length > 5 && fields[2].equals(uid))
          .map(fields -> Path.of(fields[5]))
          .findFirst()
          // Not every directory of users is a file.
          .or(() -> Optional.ofNullable(environment.get("SUDO_USER")).map(HOMES::resolve))
          .map(JournalFolders::below)
          .filter(folder -> !all.contains(folder))
          .ifPresent(all::add);
    }
    return new JournalFolders(mayRun ? run : below(home), all);
  }

  private static Path below(Path home) {
    return home.resolve(".local").resolve("state").resolve(NAME);
  }

  /** In words: {@code /run/manx, /root/.local/state/manx}. */
  public String words() {
    return String.join(", ", all.stream().map(Path::toString).toList());
  }
}
