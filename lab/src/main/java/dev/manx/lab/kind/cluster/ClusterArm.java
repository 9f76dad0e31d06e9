/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.settings.YamlText;
import dev.manx.load.DriverSettings;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * One side of a comparison.
 *
 * @param name as it stands in every result file and legend
 * @param description for people
 * @param mode what the plugin does
 * @param strategy the mapping under {@code strategy:}, texts, lists and mappings; empty in modes
 *     off and absent
 * @param stock what is set on the stock side
 * @param driver what the driver does about slow nodes, where that is not the experiment's to say
 * @param paged whether the driver's default paging is left on
 */
public record ClusterArm(
    String name,
    String description,
    Mode mode,
    Map<String, Object> strategy,
    StockSettings stock,
    Optional<DriverSettings> driver,
    boolean paged) {
  /** The plugin's mode during an arm. */
  public enum Mode {
    /** Nodes of a cluster of their own that have never heard of Manx: neither jar nor handler. */
    ABSENT,
    /** No hook in the path. */
    OFF,
    /** Decisions are computed and counted, stock's are taken. */
    SHADOW,
    /** Decisions are taken. */
    ON;

    /** As in the file. */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** Copies the mapping, keeping its order. */
  public ClusterArm {
    strategy = Collections.unmodifiableMap(new LinkedHashMap<>(strategy));
  }

  /** Whether the plugin has something to do. */
  public boolean acts() {
    return mode == Mode.SHADOW || mode == Mode.ON;
  }

  /** The strategy as a document of its own; empty where the plugin has nothing to do. */
  public String document() {
    return strategy.isEmpty() ? "" : YamlText.of(Map.of("strategy", strategy));
  }
}
