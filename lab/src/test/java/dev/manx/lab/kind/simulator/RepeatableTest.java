/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.SilentProgress;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.simulator.SimulatorKind.At;
import dev.manx.policy.spi.PolicyProvider;
import dev.manx.simulator.Check;
import java.io.File;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Arms with a policy of a third party are played twice. */
@Timeout(120)
class RepeatableTest {
  private static final Map<String, String> SHORT =
      Map.of("sweep", "null", "published", "null", "loads", "[60%]", "seeds", "[1]");

  @TempDir private Path folder;

  @Test
  void aPolicyThatRemembersEarlierRunsFails() throws Exception {
    assertThat(check("static", Map.of())).startsWith("false: the first 1000 requests of seed 1");
    assertThat(check("none", Map.of())).startsWith("true: the first 1000 requests of seed 1");
  }

  /** A closed loop has at least one request for each client. */
  @Test
  void aClosedLoopOfManyClientsIsPlayed() throws Exception {
    assertThat(check("none", Map.of("workload.think", "2s", "requests", "20000")))
        .matches("true: the first 1[5-9]\\d\\d requests of seed 1.*");
  }

  /** Both means are no number. */
  @Test
  void aRunWithoutAnAnswerIsRepeatable() throws Exception {
    assertThat(
            check(
                "none",
                Map.of(
                    "model.timeout",
                    "10ms",
                    "model.faults",
                    "[{ node: all, is: dead, from: 0s, to: 1h }]")))
        .startsWith("true: ")
        .contains("NaN");
  }

  /** In a loader of its own, since policies of third parties are loaded once for all tests. */
  private String check(String counter, Map<String, String> more) throws Exception {
    Map<String, String> settings = new HashMap<>(SHORT);
    settings.put(
        "arms.random.strategy",
        "{ select: { policy: select.counting, counter: %s } }".formatted(counter));
    settings.putAll(more);
    Path file = Files.writeString(folder.resolve("one.yaml"), SimulatorKindTest.SMALL);
    Path services = Files.createDirectories(folder.resolve("jar/META-INF/services"));
    Files.writeString(
        services.resolve(PolicyProvider.class.getName()), CountingSelector.class.getName());
    List<URL> urls = new ArrayList<>();
    urls.add(folder.resolve("jar").toUri().toURL());
    for (String part : System.getProperty("java.class.path").split(File.pathSeparator)) {
      urls.add(Path.of(part).toUri().toURL());
    }
    try (URLClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
      Method played =
          loader
              .loadClass(RepeatableTest.class.getName())
              .getDeclaredMethod("played", Path.class, Map.class);
      played.setAccessible(true);
      return (String) played.invoke(null, file, settings);
    }
  }

  /** Called by reflection. */
  private static String played(Path file, Map<String, String> settings) throws Exception {
    Experiment<String, At> experiment =
        SimulatorKind.read(
            ExperimentSource.of(file, new Choices(settings, List.of("random"), false)));
    try (Player<String, At> player = experiment.stage().open(new SilentProgress())) {
      Turn<String, At> turn = experiment.turns().get(0);
      Check check =
          player.play(turn, now -> {}).checks().stream()
              .filter(one -> one.name().equals("repeatable"))
              .findFirst()
              .orElseThrow();
      return check.holds() + ": " + check.detail();
    }
  }
}
