/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunLockTest {
  @TempDir private Path folder;

  /** It would hold the lock of a deleted file, and a third run that of the new one. */
  @Test
  void theLockedFileIsTheOneInTheFolder() throws Exception {
    Path file = Files.createFile(folder.resolve(RunLock.FILE_NAME));
    AtomicInteger opened = new AtomicInteger();
    RunLock.Step replacing =
        () -> {
          if (opened.incrementAndGet() == 1) {
            Files.delete(file);
            Files.createFile(file);
          }
        };
    try (RunLock lock = RunLock.of(folder, replacing)) {
      assertThat(lock).isNotNull();
      assertIsLocked(file);
    }
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileThatIsDeletedWhileItIsOpenedIsCreatedAgain() throws Exception {
    Path file = folder.resolve(RunLock.FILE_NAME);
    AtomicInteger opened = new AtomicInteger();
    RunLock.Step deleting =
        () -> {
          if (opened.incrementAndGet() <= 2) {
            Files.delete(file);
          }
        };
    try (RunLock lock = RunLock.of(folder, deleting)) {
      assertThat(lock).isNotNull();
      assertIsLocked(file);
    }
  }

  private static void assertIsLocked(Path file) throws IOException {
    try (FileChannel other = FileChannel.open(file, StandardOpenOption.WRITE)) {
      assertThatThrownBy(other::tryLock).isInstanceOf(OverlappingFileLockException.class);
    }
  }
}
