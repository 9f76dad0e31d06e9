/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One side of a comparison.
 *
 * @param name as it stands in every result file and legend
 * @param description for people
 * @param mode what the plugin does
 * @param strategy the mapping under {@code strategy:}, texts, lists and mappings; empty in mode off
 * @param paged whether the driver's default paging is left on
 */
public record Arm(
    String name, String description, Mode mode, Map<String, Object> strategy, boolean paged) {
  /** What the plugin does during an arm. */
  public enum Mode {
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
  public Arm {
    strategy = Collections.unmodifiableMap(new LinkedHashMap<>(strategy));
  }

  /** The strategy as a document of its own; empty in mode off. */
  public String document() {
    return strategy.isEmpty() ? "" : YamlText.of(Map.of("strategy", strategy));
  }
}
