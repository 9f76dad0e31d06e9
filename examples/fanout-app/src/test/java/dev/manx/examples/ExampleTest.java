/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The examples run, and the README shows the compiled text. */
class ExampleTest {
  private static final Path HOME = Path.of(System.getProperty("manx.home"));

  @Test
  void theQuickStartWorks() {
    assertThat(QuickStart.page()).startsWith("ADA hears").contains("song 7", "song 9");
  }

  @Test
  void theReadmeAndTheGuideShowWhatIsCompiled() throws IOException {
    String source =
        Files.readString(
            HOME.resolve("examples/fanout-app/src/main/java/dev/manx/examples/QuickStart.java"));
    String region =
        source
            .substring(source.indexOf("// quick start\n") + 15, source.indexOf("    // end\n"))
            .lines()
            .map(line -> line.substring(Math.min(4, line.length())))
            .collect(Collectors.joining("\n"));
    String block = "```java\n" + region + "\n```";
    assertThat(region.lines().count()).isLessThanOrEqualTo(17);
    assertThat(Files.readString(HOME.resolve("README.md"))).contains(block);
    assertThat(Files.readString(HOME.resolve("docs/client.md"))).contains(block);
  }

  @Test
  void theApplicationRuns() throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    FanoutApp.play(3, new PrintStream(out, true, StandardCharsets.UTF_8));
    assertThat(out.toString(StandardCharsets.UTF_8).lines())
        .hasSize(5)
        .last()
        .asString()
        .contains("songs", "artists", "reviews");
  }
}
