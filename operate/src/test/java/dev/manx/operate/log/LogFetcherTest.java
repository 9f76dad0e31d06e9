/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.load.connect.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogFetcherTest {
  @TempDir private Path folder;

  /** Every failure was said to be that of a file in its place. */
  @Test
  void aFolderThatCannotBeMadeIsNamedWithTheReason() throws Exception {
    Path file = Files.createFile(folder.resolve("file"));
    assertThatThrownBy(() -> LogFetcher.create(file))
        .isInstanceOf(ConnectException.class)
        .hasMessage("nothing was fetched: " + file + " is not a folder");
    Path below = file.resolve("logs");
    assertThatThrownBy(() -> LogFetcher.create(below))
        .isInstanceOf(ConnectException.class)
        .hasMessage(
            "nothing was fetched: logs cannot be written to " + below + ": Not a directory");
    Path logs = folder.resolve("new/logs");
    LogFetcher.create(logs);
    LogFetcher.create(logs);
    assertThat(logs).isDirectory();
  }

  /** All users of the machine could read it, and it contains the tokens of keys. */
  @Test
  void onlyItsOwnerCanReadALog() throws Exception {
    Path file = folder.resolve("node.log.unfinished");
    for (int transfer = 0; transfer < 2; transfer++) {
      LogFetcher.ownersOnly(file).close();
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
          .isEqualTo("rw-------");
      // As an earlier version left one.
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }
  }
}
