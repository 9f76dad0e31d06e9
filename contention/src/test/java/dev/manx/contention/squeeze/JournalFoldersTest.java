/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The folders in which a squeeze of another user may have left its journal. */
class JournalFoldersTest {
  private static final Path RUN = Path.of("/run/manx");
  private static final Path ROOT = Path.of("/root/.local/state/manx");
  private static final String USERS =
      "root:x:0:0:root:/root:/bin/bash\nbad line\nann:x:1000:1000:Ann:/srv/ann:/bin/bash\n";

  @Test
  void rootWritesBelowRun() {
    JournalFolders folders = JournalFolders.of(true, Path.of("/root"), Map.of(), USERS);
    assertThat(folders.own()).isEqualTo(RUN);
    assertThat(folders.all()).containsExactly(RUN, ROOT);
    assertThat(folders.words()).isEqualTo("/run/manx, /root/.local/state/manx");
  }

  @Test
  void aUserWritesBelowTheHomeAndLooksBelowRunToo() {
    JournalFolders folders = JournalFolders.of(false, Path.of("/srv/ann"), Map.of(), USERS);
    assertThat(folders.own()).isEqualTo(Path.of("/srv/ann/.local/state/manx"));
    assertThat(folders.all()).containsExactly(RUN, folders.own());
  }

  @Test
  void sudoLooksInTheHomeOfItsCaller() {
    JournalFolders folders =
        JournalFolders.of(
            true, Path.of("/root"), Map.of("SUDO_UID", "1000", "SUDO_USER", "ann"), USERS);
    assertThat(folders.own()).isEqualTo(RUN);
    assertThat(folders.all()).containsExactly(RUN, ROOT, Path.of("/srv/ann/.local/state/manx"));
  }

  @Test
  void aCallerOfSudoWhoIsInNoFileHasTheUsualHome() {
    assertThat(
            JournalFolders.of(
                    true, Path.of("/root"), Map.of("SUDO_UID", "77", "SUDO_USER", "bob"), USERS)
                .all())
        .containsExactly(RUN, ROOT, Path.of("/home/bob/.local/state/manx"));
    assertThat(JournalFolders.of(true, Path.of("/root"), Map.of("SUDO_UID", "77"), USERS).all())
        .containsExactly(RUN, ROOT);
  }
}
