/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.manx.local.cluster.ManxHome;
import dev.manx.local.cluster.NodeJava;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A file that nodes could not use must not reach them. Runs next to tests that need no nodes and
 * writes the archive early, so that the first test on nodes need not wait for it.
 */
@Execution(ExecutionMode.CONCURRENT)
class ClassArchiveTest {
  private static final String SHARED = "-XX:SharedArchiveFile=";

  @TempDir private Path folder;

  /**
   * The check of a file needs the nodes' class path, which {@code ./test --fast} does not write.
   */
  private static void assumeNodes() {
    assumeTrue(
        Files.exists(ManxHome.find().root().resolve("cassandra/target/node.classpath")),
        "the plugin is not built");
  }

  @Test
  @Tag("engines")
  void nodesGetTheClassesOfACassandraThatHasRun() throws Exception {
    assumeNodes();
    Path file =
        ClassArchive.options().stream()
            .filter(option -> option.startsWith(SHARED))
            .map(option -> Path.of(option.substring(SHARED.length())))
            .findFirst()
            .orElse(null);
    if (file == null && !ClassArchive.isLate()) {
      assertThat(System.getenv("CI")).as("continuous integration writes the archive").isNull();
    }
    assumeTrue(file != null, "no archive: nodes start without one on a machine that is too busy");
    assertThat(ClassArchive.isSound(file)).isTrue();
  }

  @Test
  void onlyACompleteArchiveIsSound() throws Exception {
    assumeNodes();
    Path java = NodeJava.home().orElseThrow().resolve("bin/java");
    Path whole = folder.resolve("whole.jsa");
    Process dump =
        new ProcessBuilder(
                java.toString(), "-Xshare:dump", "-XX:SharedArchiveFile=" + whole, "-Xmx128m")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(dump.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(ClassArchive.isSound(whole)).isTrue();
    byte[] bytes = Files.readAllBytes(whole);
    Path cutOff = folder.resolve("cut.jsa");
    Files.write(cutOff, Arrays.copyOf(bytes, bytes.length - 100_000));
    assertThat(ClassArchive.isSound(cutOff)).isFalse();
    assertThat(ClassArchive.isSound(folder.resolve("absent.jsa"))).isFalse();
  }
}
