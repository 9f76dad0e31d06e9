/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Presets.Preset;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class PresetsTest {
  private static final Host NODE = Host.node(() -> 0);
  private static final Host SIMULATOR = Host.simulator(() -> 0, () -> 0);

  private static Strategy read(String name, Host host) {
    return Strategy.parse("file.yaml", "strategy: " + name, host);
  }

  @Test
  void theDocumentOfEveryPresetParsesToItself() {
    for (Preset preset : Presets.all()) {
      Strategy strategy = read(preset.name(), SIMULATOR);
      assertThat(Strategy.parse("again", strategy.document(), SIMULATOR).document())
          .as(preset.name())
          .isEqualTo(strategy.document());
    }
  }

  @Test
  void manxIsComposedAsDocumented() {
    Strategy manx = read("manx", NODE);
    assertThat(manx.names())
        .containsEntry("select", "select.low")
        .containsEntry("order", "order.boost")
        .containsEntry("fanout", "fanout.brb-equalmax")
        .containsEntry("oracles.size", "oracle.size-bloom")
        .containsEntry("facts", "pending-reads,service-time,work-ahead,slowness");
    assertThat(manx.document()).contains("beta: auto", "longest-first: true", "max-wait: auto");
  }

  @Test
  void aNodeTakesThemAll() {
    for (Preset preset : Presets.all()) {
      assertThat(read(preset.name(), NODE).document()).as(preset.name()).isNotEmpty();
    }
  }

  @Test
  void aHostRefusesPresetsThatCannotActThereAndNamesFileAndPreset() {
    Host plain = new Host(() -> 0, () -> 0, Set.of(), NODE.places());
    assertThatThrownBy(() -> read("brb-credits", plain))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("file.yaml")
        .hasMessageContaining("strategy = brb-credits")
        .hasMessageContaining("works only in the simulator and on nodes");
  }

  @Test
  void stockIsTheHostsOwnDecisions() {
    assertThat(read("stock", NODE).document())
        .isEqualTo(Strategy.parse("none", "strategy: {}", NODE).document());
    assertThat(read("stock", SIMULATOR).names())
        .containsEntry("select", "select.dynamic-snitch")
        .containsEntry("fanout", "fanout.speculative-retry");
  }

  @Test
  void anUnknownNameIsRefusedWithTheKnownNames() {
    for (String bad : List.of("mnax", "[manx]", "4")) {
      assertThatThrownBy(() -> read(bad, NODE))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("file.yaml:1")
          .hasMessageContaining("strategy")
          .hasMessageContaining("manx-tied");
    }
  }
}
