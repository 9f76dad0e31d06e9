/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.ArmStrategy;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.lab.settings.YamlText;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.strategy.Host;
import java.nio.file.Path;
import java.util.Map;

/** Reads {@code arms:}. */
public final class ArmReader {
  private static final String DRIVER_DEFAULT = "driver-default";

  public static final Key STRATEGY =
      Key.optional(
          "strategy",
          ArmStrategy.SHAPE,
          "of modes on and shadow: the same mapping that the plugin reads, a preset, or a file that"
              + " holds the mapping or the preset under the key `strategy`");

  static final Section ARM =
      Section.of(
              Key.required(
                  Setting.choice(
                      "mode",
                      ClusterArm.Mode.class,
                      "absent: nodes without Manx, a second cluster; off: no hook in the path;"
                          + " shadow: decides and counts, but does not act; on: decides and acts")),
              CommonSettings.DESCRIPTION.quiet())
          .and(StockSettings.KEYS)
          .and(
              ArmDriver.KEY,
              Key.of(
                  Setting.word(
                      "paging",
                      "driver-default: pages of 5000, which make Cassandra read the keys of an IN"
                          + " list one after another",
                      "off",
                      DRIVER_DEFAULT)),
              STRATEGY);

  private final Path folder;

  /** Resolves names of strategy files in the folder. */
  public ArmReader(Path folder) {
    this.folder = folder;
  }

  ClusterArm read(String name, Part arm) {
    StockSettings stock = StockSettings.read(arm);
    ClusterArm.Mode mode = arm.choice("mode", ClusterArm.Mode.class);
    if (!stock.dynamicSnitch() && (mode == ClusterArm.Mode.SHADOW || mode == ClusterArm.Mode.ON)) {
      throw arm.node("dynamic-snitch").refuse("on, in mode " + mode.label());
    }
    return arm(name, arm, stock, arm.word("paging").equals(DRIVER_DEFAULT));
  }

  /** Reads the keys {@code mode}, {@code description}, {@code strategy} and {@code driver}. */
  public ClusterArm readPlain(String name, Part arm) {
    return arm(name, arm, StockSettings.SHIPPED, false);
  }

  private ClusterArm arm(String name, Part arm, StockSettings stock, boolean paged) {
    ClusterArm.Mode mode = arm.choice("mode", ClusterArm.Mode.class);
    boolean acts = mode == ClusterArm.Mode.SHADOW || mode == ClusterArm.Mode.ON;
    if (!acts && arm.has("strategy")) {
      throw arm.node("strategy")
          .refuseBecause(
              "mode " + mode.label() + " has no strategy; set mode on or shadow, or leave it out");
    }
    Map<String, Object> strategy = acts ? strategy(arm.node("strategy")) : Map.of();
    if (acts) {
      arm.put("strategy", strategy);
    }
    return new ClusterArm(
        name,
        arm.word("description"),
        mode,
        strategy,
        stock,
        arm.find("driver").map(ArmDriver::read),
        paged);
  }

  private Map<String, Object> strategy(ConfigNode node) {
    String document = ArmStrategy.document(node, folder, Host.node(System::nanoTime));
    return YamlText.mapping(ConfigNode.parse(node.file(), document).at("strategy"));
  }
}
