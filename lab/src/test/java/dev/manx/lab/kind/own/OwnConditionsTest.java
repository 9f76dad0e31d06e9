/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Manx;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What must be the same when an interrupted run continues. */
class OwnConditionsTest {
  private static final NodeState STOCK =
      new NodeState(
          "10.0.0.2",
          "dc1",
          Manx.ABSENT,
          "Manx is not on this node",
          Map.of(),
          Map.of(),
          Map.of(),
          1);

  private static NodeState node(String... others) {
    Map<String, String> rows =
        new HashMap<>(
            Map.of(
                "version", "0.1.0",
                "mode", "off",
                "document", "strategy: {}",
                "calm-after", "250ms",
                "switches", "1",
                "queues", "one was seen 3s ago"));
    for (int i = 0; i < others.length; i += 2) {
      rows.put(others[i], others[i + 1]);
    }
    return new NodeState("10.0.0.1", "dc1", Manx.PRESENT, "", rows, Map.of(), Map.of(), 1);
  }

  @Test
  void nodesAreDescribedByVersionModeAndStrategy() {
    assertThat(OwnConditions.of(List.of(node(), STOCK)))
        .isEqualTo(
            Map.of(
                "10.0.0.1: Manx", "0.1.0",
                "10.0.0.1: mode", "off",
                "10.0.0.1: strategy", "strategy: {}",
                "10.0.0.1: calm-after", "250ms",
                "10.0.0.2: Manx", "not installed"));
  }

  @Test
  void aNodeThatWasRestartedOrServedOthersIsTheSame() {
    assertThat(OwnConditions.of(List.of(node("switches", "9", "queues", ""))))
        .isEqualTo(OwnConditions.of(List.of(node())));
  }

  @Test
  void anotherModeVersionStrategyOrNodeIsNot() {
    Map<String, String> before = OwnConditions.of(List.of(node()));
    for (String row : List.of("version", "mode", "document", "calm-after")) {
      assertThat(OwnConditions.of(List.of(node(row, "another")))).as(row).isNotEqualTo(before);
    }
    assertThat(OwnConditions.of(List.of(node(), STOCK))).isNotEqualTo(before);
    assertThat(OwnConditions.of(List.of(STOCK))).isNotEqualTo(before);
  }
}
