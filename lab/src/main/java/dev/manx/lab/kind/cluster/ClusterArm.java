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
 * @param name name in every result file and legend
 * @param description for users
 * @param mode mode of the plugin
 * @param strategy the mapping under {@code strategy:}, texts, lists and mappings; empty in modes
 *     off and absent
 * @param stock settings of stock Cassandra
 * @param driver the driver's handling of slow nodes, unless set by the experiment
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
    /** Nodes of a separate cluster without Manx: neither jar nor handler. */
    ABSENT,
    /** Hooks are out of the path. */
    OFF,
    /** Decisions are computed and counted, and stock's are used. */
    SHADOW,
    /** Decisions are used. */
    ON;

    /** The name in the file. */
    public String label() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  /** Copies the mapping, keeping its order. */
  public ClusterArm {
    strategy = Collections.unmodifiableMap(new LinkedHashMap<>(strategy));
  }

  /** Whether the plugin has work to do. */
  public boolean acts() {
    return mode == Mode.SHADOW || mode == Mode.ON;
  }

  /** The strategy as a document; empty if the plugin has no work to do. */
  public String document() {
    return strategy.isEmpty() ? "" : YamlText.of(Map.of("strategy", strategy));
  }
}
