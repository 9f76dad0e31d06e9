/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.kind.Kinds;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where an interrupted demo continues. */
class DemoCommandTest {
  private static final Path EXAMPLES = ManxHome.find().root().resolve("examples");

  @TempDir private Path folder;

  private boolean firstPartIsFinished() throws IOException {
    return DemoCommand.firstPartIsFinished(RunOptions.to(folder), EXAMPLES);
  }

  private void finishFirst(boolean quick) throws IOException {
    Choices choices = new Choices(Map.of(), List.of(), quick);
    String text = Kinds.read(EXAMPLES.resolve("demo.yaml"), choices, ManxHome.find()).text();
    Files.writeString(folder.resolve("experiment.yaml"), text);
  }

  /** A missed bound of the first part hid wrong rows of the second. */
  @Test
  void wrongResultsOfEitherPartDecideTheExitCode() {
    assertThat(RunOptions.worse(0, 0)).isZero();
    assertThat(RunOptions.worse(0, RunOptions.BOUND_MISSED)).isEqualTo(RunOptions.BOUND_MISSED);
    assertThat(RunOptions.worse(RunOptions.BOUND_MISSED, RunOptions.WRONG))
        .isEqualTo(RunOptions.WRONG);
    assertThat(RunOptions.worse(RunOptions.WRONG, RunOptions.BOUND_MISSED))
        .isEqualTo(RunOptions.WRONG);
  }

  /** The finished first part was refused as the folder of another run. */
  @Test
  void anInterruptedSecondPartContinues() throws Exception {
    assertThat(firstPartIsFinished()).as("a new folder").isFalse();
    finishFirst(false);
    assertThat(firstPartIsFinished()).as("the second part has not begun").isTrue();
    Path cost = Files.createDirectory(folder.resolve("cost"));
    Files.writeString(cost.resolve("experiment.yaml"), "");
    Path turns = Files.writeString(cost.resolve("turns.jsonl"), "");
    assertThat(firstPartIsFinished()).as("the second part was interrupted").isTrue();
    Files.delete(turns);
    assertThat(firstPartIsFinished()).as("both are finished").isFalse();
  }

  /** Interrupted, it did not name its folder, and the second part had another one. */
  @Test
  void withoutOutBothPartsAreInOneFolderThatAnInterruptionNames() throws Exception {
    RunOptions options = RunOptions.to(null).asCommand();
    Path whole = options.resultFolder("demo");
    try {
      assertThat(options.lastLine(whole))
          .as("nothing has begun")
          .isEqualTo("interrupted: stopping");
      Path turns = Files.createFile(whole.resolve("turns.jsonl"));
      String goOn = "interrupted: stopping; the same command with --out " + whole + " continues";
      assertThat(options.lastLine(whole)).isEqualTo(goOn);
      Files.delete(turns);
      RunOptions second = options.part("cost");
      assertThat(second.resultFolder("demo-cost")).isEqualTo(whole.resolve("cost"));
      assertThat(second.lastLine(whole.resolve("cost"))).isEqualTo(goOn);
    } finally {
      Files.delete(whole);
    }
  }

  @Test
  void anInterruptedOrAnotherFirstPartIsNotSkipped() throws Exception {
    finishFirst(true);
    assertThat(firstPartIsFinished()).as("with other options").isFalse();
    finishFirst(false);
    Files.writeString(folder.resolve("turns.jsonl"), "");
    assertThat(firstPartIsFinished()).as("interrupted").isFalse();
  }
}
