/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.idle.IdleStrategy;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.IdleSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The example of {@code docs/operate/safe-waiting.md}, compiled outside the package of policies.
 */
@Timeout(60)
class WaitingGuideTest {
  private static final Path ROOT = ManxHome.find().root();
  private static final String SOURCE = "lab/src/test/java/dev/manx/lab/docs/WaitingGuideTest.java";
  private static final String BEGIN = "    // example\n";

  private volatile boolean published;

  private void awaitPublished() {
    // example
    ConfigNode settings = ConfigNode.parse("waiting", "idle: { policy: idle.adaptive }");
    IdleSpec spec = IdleSpec.read(settings.at("idle"), Host.node(System::nanoTime));

    IdleStrategy idle = spec.newStrategy(); // one for each waiting thread
    idle.reset(); // before each awaited condition
    while (!published) {
      idle.idle();
    }
    // end
  }

  @Test
  void theExampleWaitsForAnotherThread() throws InterruptedException {
    Thread other = new Thread(() -> published = true);
    other.start();
    awaitPublished();
    other.join();
    assertThat(published).isTrue();
  }

  @Test
  void theGuideShowsWhatIsCompiled() throws IOException {
    String source = Files.readString(ROOT.resolve(SOURCE));
    String region =
        source
            .substring(source.indexOf(BEGIN) + BEGIN.length(), source.indexOf("    // end\n"))
            .replaceAll("(?m)^    ", "");
    assertThat(Files.readString(ROOT.resolve("docs/operate/safe-waiting.md")))
        .contains("```java\n" + region + "```");
  }
}
