/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.lab.experiment.ReplacedFileException;
import dev.manx.lab.experiment.RunException;
import dev.manx.policy.config.ConfigException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class RunOptionsTest {
  private static final String SIMULATION =
      """
      experiment: small
      on: simulator
      model:
        nodes: 3
        cores: 2
        coordinators: 2
        service: { per-core: 1000/s, constant: 50% }
        forecast: { from: exact }
      workload:
        kind: synthetic
        requests: { kind: bounded-pareto, single: 60%, mean: 4, max: 50 }
        values: { scale: 214.476, shape: 0.348238, max: 1MB }
      loads: [50%]
      requests: 200
      seeds: [1]
      arms:
        random: { strategy: { select: select.random } }
      """;

  @TempDir private Path folder;

  private String lastLine(Path of) {
    return RunOptions.to(of).asCommand().lastLine(of);
  }

  /** The folder has a time in its name, and nothing else names it before the end. */
  @Test
  void anInterruptedRunSaysHowToGoOn() throws IOException {
    assertThat(lastLine(folder)).isEqualTo("interrupted: stopping");
    Files.createFile(folder.resolve("turns.jsonl"));
    assertThat(lastLine(folder))
        .isEqualTo("interrupted: stopping; the same command with --out " + folder + " continues");
    Path spaced = Files.createDirectory(folder.resolve("my results"));
    Files.createFile(spaced.resolve("turns.jsonl"));
    assertThat(lastLine(spaced)).contains("--out '" + spaced + "' continues");
  }

  /** Hours of turns were thought lost, and measured again elsewhere. */
  @Test
  void aFailedRunSaysHowToGoOn() throws Exception {
    Path own = Files.writeString(folder.resolve("small.yaml"), SIMULATION);
    Path out = folder.resolve("out");
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(new PrintStream(said, true, UTF_8), false, 80, System::nanoTime);
    Files.createDirectories(out.resolve("metrics.csv"));
    Files.createFile(out.resolve("metrics.csv").resolve("in the way"));
    Files.createFile(out.resolve("turns.jsonl"));
    assertThatThrownBy(() -> RunOptions.to(out).asCommand().runTo(own, terminal))
        .isInstanceOf(RunException.class);
    assertThat(said.toString(UTF_8).lines())
        .contains("the run has failed; the same command with --out " + out + " continues");
  }

  /** Another name, or another run's folder: nothing here continues. */
  @Test
  void aRefusedRunSaysNothingOfContinuing() throws Exception {
    Path own = Files.writeString(folder.resolve("small.yaml"), SIMULATION);
    Path out = Files.createDirectories(folder.resolve("out"));
    Files.createFile(out.resolve("notes.txt"));
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(new PrintStream(said, true, UTF_8), false, 80, System::nanoTime);
    assertThatThrownBy(() -> RunOptions.to(out).asCommand().runTo(own, terminal))
        .isInstanceOf(ConfigException.class);
    assertThat(said.toString(UTF_8)).doesNotContain("continues");
  }

  /** The same command would be refused, because the jar is another one. */
  @Test
  void aRunWhoseJarWasReplacedSaysNothingOfContinuing() {
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    Terminal terminal =
        new Terminal(new PrintStream(said, true, UTF_8), false, 80, System::nanoTime);
    Path jar = folder.resolve("manx-policy-0.1.0.jar");
    RunOptions.Run replaced =
        () -> {
          create(folder.resolve("turns.jsonl"));
          throw new ReplacedFileException(jar);
        };
    assertThatThrownBy(() -> RunOptions.to(folder).asCommand().play(folder, terminal, replaced))
        .isInstanceOf(ReplacedFileException.class)
        .hasMessageStartingWith(jar + " was replaced during the run");
    assertThat(said.toString(UTF_8)).doesNotContain("continues");
  }

  private static void create(Path file) {
    try {
      Files.createFile(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A run that is killed while its nodes boot leaves its lock; the folder must stay usable. */
  @Test
  void aRunMayBeginWhereAnotherWasKilledBeforeItBegan() throws Exception {
    Files.createFile(folder.resolve("turns.lock"));
    Files.createFile(folder.resolve("turns.jsonl.part"));
    RunOptions.to(folder).checkFolder();
    Files.createFile(folder.resolve("summary.csv"));
    assertThatThrownBy(() -> RunOptions.to(folder).checkFolder())
        .isInstanceOf(ConfigException.class);
  }
}
