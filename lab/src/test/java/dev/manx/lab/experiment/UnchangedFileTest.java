/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class UnchangedFileTest {
  @TempDir private Path folder;
  private final List<Long> waits = new ArrayList<>();
  private Path jar;

  @BeforeEach
  void writes() throws IOException {
    jar = Files.writeString(folder.resolve("own.jar"), "one");
  }

  /** A file whose contents change at some of the waits for it. */
  private UnchangedFile file(Map<Integer, String> contents) throws IOException {
    return new UnchangedFile(
        jar,
        nanos -> {
          waits.add(nanos);
          String now = contents.get(waits.size());
          if (now != null) {
            write(now);
          }
        });
  }

  private void write(String contents) {
    try {
      Files.writeString(jar, contents);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long waitedNanos() {
    return waits.stream().mapToLong(Long::longValue).sum();
  }

  /** A build of touched sources deletes the jar, writes it, and ends with the same bytes. */
  @Test
  void aBuildOfTheSameBytesIsWaitedFor() throws Exception {
    UnchangedFile file = file(Map.of(3, "on", 5, "one"));
    Files.delete(jar);
    file.check();
    assertThat(waits).hasSize(5);
    file.check();
    assertThat(waits).as("it is known by its new time").hasSize(5);
  }

  @Test
  void anotherFileIsRefusedAfterSomeSeconds() throws Exception {
    UnchangedFile file = file(Map.of());
    write("two");
    assertThatThrownBy(file::check)
        .isInstanceOf(ReplacedFileException.class)
        .hasMessage(
            jar + " was replaced during the run; its turns continue only with the former file");
    assertThat(waitedNanos()).isEqualTo(10_000_000_000L);
  }

  @Test
  void aMissingFileIsRefusedToo() throws Exception {
    UnchangedFile file = file(Map.of());
    Files.delete(jar);
    assertThatThrownBy(file::check).isInstanceOf(ReplacedFileException.class);
  }
}
