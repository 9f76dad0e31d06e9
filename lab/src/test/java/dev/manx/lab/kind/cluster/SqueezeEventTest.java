/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.contention.squeeze.Squeeze;
import dev.manx.lab.experiment.Choices;
import dev.manx.local.cluster.ManxHome;
import dev.manx.policy.config.ConfigException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqueezeEventTest {
  private static final Path EXAMPLE = ManxHome.find().root().resolve("examples/squeezed-node.yaml");

  private static ClusterExperiment with(String events) {
    return ClusterFiles.read(EXAMPLE, Map.of("events", events));
  }

  @Test
  void theExampleSqueezesNodeTwoInTheMiddleThird() {
    ClusterExperiment example = ClusterFiles.read(EXAMPLE, Choices.none());
    assertThat(example.events())
        .containsExactly(
            new SqueezeEvent(3_000_000_000L, 3_000_000_000L, 2, new Squeeze(1, 8, "", -20)));
    assertThat(example.events().get(0).words())
        .isEqualTo("node2: 1 core, nice -20 for the 8 busiest threads");
    String text = example.text();
    assertThat(ClusterFiles.parse(EXAMPLE.resolveSibling("resolved"), text, Map.of()))
        .isEqualTo(example);
  }

  @Test
  void aQuickRunHasTheSameEventsInItsShorterWindow() {
    ClusterExperiment quick = ClusterFiles.read(EXAMPLE, new Choices(Map.of(), List.of(), true));
    assertThat(quick.window().nanos()).isEqualTo(3_000_000_000L);
    assertThat(quick.events())
        .containsExactly(
            new SqueezeEvent(1_000_000_000L, 1_000_000_000L, 2, new Squeeze(1, 8, "", -20)));
  }

  @Test
  void severalEventsOfOneNodeFollowEachOther() {
    String one = "{ at: 0s, for: 3s, squeeze: { node: 1, cores: 1 } }";
    String next = "{ at: 3s, for: 6s, squeeze: { node: 1, threads: 'Read*', nice: 5 } }";
    String other = "{ at: 1s, for: 8s, squeeze: { node: 3, cores: 1 } }";
    ClusterExperiment three = with("[" + one + ", " + next + ", " + other + "]");
    assertThat(three.events()).hasSize(3);
    String text = three.text();
    assertThat(ClusterFiles.parse(EXAMPLE.resolveSibling("resolved"), text, Map.of()))
        .isEqualTo(three);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{ at: 3s, for: 7s, squeeze: { node: 2, cores: 1 } } | events[0].for = '7s'",
        "{ at: 9s, for: 1s, squeeze: { node: 2, cores: 1 } } | events[0].at = '9s'",
        "{ at: 3s, squeeze: { node: 2, cores: 1 } } | events[0].for is missing",
        "{ at: 3s, for: 1s } | one of slow, pause, restart",
        "{ at: 3s, for: 1s, squeeze: { node: 4, cores: 1 } } | from 1 to 3",
        "{ at: 3s, for: 1s, squeeze: { cores: 1 } } | events[0].squeeze.node is missing",
        "{ at: 3s, for: 1s, squeeze: { node: 2 } } | cores, or boost or threads",
        "{ at: 3s, for: 1s, kill: 1, squeeze: { node: 2, cores: 1 } } | unknown key",
        "{ at: 3s, for: 2s, squeeze: { node: 2, cores: 1 } }, { at: 4s, for: 1s, squeeze: {"
            + " node: 2, cores: 1 } } | one event of a node at a time"
      })
  void refusesImpossibleEvents(String events, String why) {
    assertThatThrownBy(() -> with("[" + events + "]"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(why);
  }

  @Test
  void refusesEventsWithoutAWindow() {
    assertThatThrownBy(
            () -> ClusterFiles.read(EXAMPLE, Map.of("window", "null", "requests", "100")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("only with window");
  }
}
