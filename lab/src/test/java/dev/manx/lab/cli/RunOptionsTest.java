/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunOptionsTest {
  @TempDir private Path folder;

  /** The folder has a time in its name, and nothing else names it before the end. */
  @Test
  void anInterruptedRunSaysHowToGoOn() throws IOException {
    assertThat(RunOptions.interruption(folder)).isEqualTo("interrupted: stopping");
    Files.createFile(folder.resolve("turns.jsonl"));
    assertThat(RunOptions.interruption(folder))
        .isEqualTo("interrupted: stopping; the same command with --out " + folder + " continues");
    Path spaced = Files.createDirectory(folder.resolve("my results"));
    Files.createFile(spaced.resolve("turns.jsonl"));
    assertThat(RunOptions.interruption(spaced)).contains("--out '" + spaced + "' continues");
  }
}
