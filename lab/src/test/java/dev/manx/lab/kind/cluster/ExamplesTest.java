/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.settings.YamlText;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExamplesTest {
  private static final Path EXAMPLES = ManxHome.find().root().resolve("examples");
  private static final Path REFERENCE = EXAMPLES.resolve("reference.yaml");

  static List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      return files
          .filter(file -> file.toString().endsWith(".yaml"))
          .filter(file -> text(file).contains("\non: cluster"))
          .sorted()
          .toList();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @ParameterizedTest
  @MethodSource("files")
  void parsesAndResolvesToItself(Path file) {
    ClusterExperiment experiment = ClusterFiles.read(file, Choices.none());
    String resolved = experiment.text();
    ClusterExperiment again = ClusterFiles.parse(EXAMPLES.resolve("resolved"), resolved, Map.of());
    assertThat(again).isEqualTo(experiment);
    assertThat(again.text()).isEqualTo(resolved);
  }

  /** Every key that the parser accepts in a mapping is in the reference, possibly commented out. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "cluster",
        "service-model",
        "workload",
        "workload.popularity",
        "workload.fan-out",
        "client",
        "saturation",
        "arms.stock"
      })
  void theReferenceHasEveryKey(String mapping) throws IOException {
    String text = Files.readString(REFERENCE);
    String bogus = mapping.isEmpty() ? "bogus" : mapping + ".bogus";
    Throwable refusal =
        catchThrowable(
            () ->
                ClusterFiles.parse(
                    EXAMPLES.resolve("reference"),
                    text,
                    Map.of(bogus, "1", "saturation.at-most", "300ms")));
    assertThat(refusal).isInstanceOf(ConfigException.class);
    Matcher known = Pattern.compile("valid keys: (.*)$").matcher(refusal.getMessage());
    assertThat(known.find()).as(refusal.getMessage()).isTrue();
    List<String> missing = new ArrayList<>();
    for (String key : known.group(1).split(", ")) {
      if (!Pattern.compile("(?m)(^\\s*#?\\s*|[{,] *|\\s)" + key + ":").matcher(text).find()) {
        missing.add(key);
      }
    }
    assertThat(missing).isEmpty();
  }

  /** Defaults in the reference are the defaults of the parser. */
  @Test
  void theReferencesDefaultsAreTheParsers() throws IOException {
    ClusterExperiment reference = ClusterFiles.read(REFERENCE, Choices.none());
    ConfigNode top = ConfigNode.parse("reference", Files.readString(REFERENCE));
    String needed =
        """
        experiment: reference
        on: cluster
        service-model: { base: 5ms, per-kib: 300us }
        workload:
          keys: 10000
          values: [{ bytes: 1KiB, share: 95% }, { bytes: 64KiB, share: 5% }]
          popularity: { zipf: 0.99 }
          fan-out: { kind: heavy-tailed, single: 60%, mean: 8.6, max: 100 }
        loads: [70%]
        window: 7s
        cluster: { cassandra-yaml: { dynamic_snitch_badness_threshold: 1.0 } }
        description: Every key of an experiment file.
        """
            + YamlText.of(Map.of("arms", YamlText.tree(top.at("arms"))));
    assertThat(ClusterFiles.parse(EXAMPLES.resolve("needed"), needed, Map.of()))
        .isEqualTo(reference);
  }

  @Test
  void theDemoIsWhatTheDocumentationSays() {
    ClusterExperiment demo = ClusterFiles.read(EXAMPLES.resolve("demo.yaml"), Choices.none());
    assertThat(demo.arms())
        .extracting(ClusterArm::name)
        .as("the cost of the snitch and the gain of Manx apart")
        .containsExactly("stock", "stock-snitch-off", "manx");
    assertThat(demo.text()).contains("also-against: [stock-snitch-off]");
    assertThat(demo.arms()).noneMatch(ClusterArm::paged);
    assertThat(demo.rounds()).isGreaterThanOrEqualTo(PairedComparison.MIN_ROUNDS);
    ClusterExperiment cost = ClusterFiles.read(EXAMPLES.resolve("demo-cost.yaml"), Choices.none());
    assertThat(cost.arms()).containsExactly(demo.arms().get(0), demo.arms().get(2));
    assertThat(cost.workload()).isEqualTo(demo.workload());
    // with booting, loading and switching twice under four minutes
    assertThat(seconds(demo) + seconds(cost)).isLessThan(150);
    double first = demo.arms().size() * (demo.warmUpNanos() + demo.window().nanos()) / 1e9;
    assertThat(first + demo.settleNanos() / 1e9).as("to the first line of results").isLessThan(25);
  }

  private static double seconds(ClusterExperiment experiment) {
    long turn = experiment.warmUpNanos() + experiment.window().nanos();
    return (experiment.settleNanos() + experiment.rounds() * experiment.arms().size() * turn) / 1e9;
  }
}
