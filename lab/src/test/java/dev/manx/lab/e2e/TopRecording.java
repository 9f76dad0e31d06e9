/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** What {@code ./manx top} shows on a terminal, recorded into one file by script(1). */
final class TopRecording {
  private static final long MOST_SECONDS = 240;

  /** Each view ends with the sums of all nodes. */
  private static final String SUMS = "\nall ";

  private final Path clusters;
  private final Path recording;
  private final Path output;

  /**
   * Begins a new file.
   *
   * @param work folder of the file {@code top.typescript}
   * @param clusters the file with the cluster {@code production}
   */
  TopRecording(Path work, Path clusters) throws IOException {
    this.clusters = clusters;
    recording = Files.createFile(work.resolve("top.typescript"));
    output = work.resolve("top.txt");
  }

  Path file() {
    return recording;
  }

  /** Runs the command until it has refreshed its view that many times. */
  void add(int views) throws Exception {
    int wanted = views() + views;
    String top =
        "%s top --on production --clusters %s --interval 2s"
            .formatted(ManxHome.find().root().resolve("manx"), clusters);
    ProcessBuilder builder =
        new ProcessBuilder(
                "timeout",
                Long.toString(MOST_SECONDS),
                "script",
                "-aqfec",
                top,
                recording.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().put("TERM", "xterm");
    Process script = builder.start();
    try {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
      while (views() < wanted) {
        assertThat(script.isAlive() && System.nanoTime() < deadline)
            .as(() -> views() + " of " + wanted + " views")
            .isTrue();
        Thread.sleep(200);
      }
    } finally {
      script.destroy();
      assertThat(script.waitFor(1, TimeUnit.MINUTES)).isTrue();
    }
  }

  private int views() {
    try {
      return Files.readString(recording).split(SUMS, -1).length - 1;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
