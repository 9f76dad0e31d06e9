/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EnvironmentTest {
  @TempDir Path directory;

  @Test
  void roundTrip() throws IOException {
    Environment here =
        Environment.capture(
            Instant.parse("2026-01-02T03:04:05Z"), "abc123", Map.of("driver.paging", "off"));
    here.write(directory);
    assertThat(Environment.read(directory)).isEqualTo(here);
    assertThat(here.date()).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(here.cores()).isEqualTo(Runtime.getRuntime().availableProcessors());
    assertThat(here.jvm()).contains(System.getProperty("java.runtime.version"));
  }

  @Test
  void anUnknownFieldIsRefused() throws IOException {
    Environment.capture(Instant.EPOCH, "", Map.of()).write(directory);
    Path file = directory.resolve(Environment.FILE_NAME);
    Files.writeString(file, Files.readString(file).replace("\"cores\"", "\"cors\""));
    assertThatThrownBy(() -> Environment.read(directory)).hasMessageContaining("cors");
  }

  @Test
  void noWorkingCopyHasNoRevision() {
    assertThat(GitRevision.of(directory)).isEmpty();
  }
}
