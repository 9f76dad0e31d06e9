/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.NodeJava;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that nodes could not use must not reach them. */
class ClassArchiveTest {
  @TempDir private Path folder;

  @Test
  void onlyACompleteArchiveIsSound() throws Exception {
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
