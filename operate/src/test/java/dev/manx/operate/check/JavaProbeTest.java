/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A program that is not Java. */
@Timeout(30)
class JavaProbeTest {
  @TempDir private Path folder;

  private JavaProbe java(String script, long patienceMillis) throws IOException {
    Path command = Files.writeString(folder.resolve("java"), "#!/bin/sh\n" + script + "\n");
    assertThat(command.toFile().setExecutable(true)).isTrue();
    return new JavaProbe(command.toString(), TimeUnit.MILLISECONDS.toNanos(patienceMillis));
  }

  @Test
  void oneThatDoesNotEndIsNotWaitedForWithoutBound() throws Exception {
    assertThat(java("exec sleep 300", 200).version()).isEmpty();
    JavaProbe.Said said = java("sleep 300", 200).readConfig(folder, folder, 192);
    assertThat(said.code()).isEqualTo(-1);
    assertThat(said.text()).isEqualTo("it did not exit in time");
  }

  @Test
  void oneThatEndsIsRead() throws Exception {
    JavaProbe java = java("echo 'openjdk version \"17.0.13\"'", 20_000);
    assertThat(java.version()).contains("17.0.13");
    assertThat(java.major()).isEqualTo(17);
  }

  @Test
  void oneThatIsNotThereIsSaidNotToStart() throws Exception {
    JavaProbe none = new JavaProbe(folder.resolve("none").toString());
    assertThat(none.version()).isEmpty();
    assertThat(none.readConfig(folder, folder, 192).code()).isEqualTo(-1);
  }
}
