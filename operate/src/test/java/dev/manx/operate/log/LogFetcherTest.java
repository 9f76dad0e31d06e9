/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.load.connect.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
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
}
