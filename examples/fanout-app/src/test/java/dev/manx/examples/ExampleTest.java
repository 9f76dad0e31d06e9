/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The examples run, and the README equals the compiled text. */
@Tag("slow")
class ExampleTest {
  private static final boolean FULL = "1".equals(System.getenv("MANX_FULL"));
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
    assertThat(Files.readString(HOME.resolve("docs/embed/client.md"))).contains(block);
  }

  /**
   * Checks the behaviour described in the class comment. Times are judged by {@code ./test --full}
   * alone: here tests of other modules may use the cores.
   */
  @Test
  @Timeout(120)
  void theSlowestRequestsRecoverWhereSharesMove() throws Exception {
    int length = FULL ? 30 : 21;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    List<FanoutApp.Second> seconds =
        FanoutApp.play(length, new PrintStream(out, true, StandardCharsets.UTF_8));
    String said = out.toString(StandardCharsets.UTF_8);
    assertThat(said.lines()).hasSize(length + 3);
    List<FanoutApp.Second> end = seconds.subList(length - (FULL ? 8 : 6), length);
    assertThat(end).as(said).allMatch(second -> second.movingMib() > 4.5);
    assertThat(sum(end, FanoutApp.Second::movingMisses))
        .as(said)
        .isLessThan(0.6 * sum(end, FanoutApp.Second::equalMisses));
    if (FULL) {
      assertThat(sum(end, FanoutApp.Second::movingMillis))
          .as(said)
          .isLessThan(0.8 * sum(end, FanoutApp.Second::equalMillis));
    }
  }

  /** With fewer than three seconds no backend would become slow. */
  @Test
  void theLengthIsTheOnlyArgument() {
    assertThat(FanoutApp.seconds()).hasValue(60);
    assertThat(FanoutApp.seconds("3")).hasValue(3);
    for (String wrong : List.of("--help", "2", "0", "-5", "", "999999")) {
      assertThat(FanoutApp.seconds(wrong)).as(wrong).isEmpty();
    }
    assertThat(FanoutApp.seconds("3", "4")).isEmpty();
  }

  private static double sum(
      List<FanoutApp.Second> seconds, ToDoubleFunction<FanoutApp.Second> number) {
    return seconds.stream().mapToDouble(number).sum();
  }
}
