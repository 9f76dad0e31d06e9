/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.policy.config.ConfigNode;
import java.util.Map;

/**
 * The settings of a stock cluster that act on its tail, so that a baseline can be tuned.
 *
 * @param speculativeRetry the table's option {@code speculative_retry}, as CQL takes it
 * @param dynamicSnitch whether the dynamic snitch ranks replicas
 */
record StockSettings(String speculativeRetry, boolean dynamicSnitch) {
  /** As Cassandra is shipped. */
  static final StockSettings SHIPPED = new StockSettings("99p", true);

  private static final String NUMBER = "[0-9]{1,6}(\\.[0-9]{1,3})?";
  private static final String ONE = "(" + NUMBER + "(p|percentile|ms))";
  private static final String RETRY =
      "(?i)none|never|always|" + ONE + "|(min|max)\\(" + ONE + ", ?" + ONE + "\\)";

  /** Reads an arm's keys {@code speculative-retry} and {@code dynamic-snitch}. */
  static StockSettings read(ConfigNode arm) {
    return new StockSettings(
        arm.find("speculative-retry").map(StockSettings::retry).orElse(SHIPPED.speculativeRetry),
        arm.find("dynamic-snitch").map(node -> node.oneOf("on", "off").equals("on")).orElse(true));
  }

  private static String retry(ConfigNode node) {
    if (!node.text().matches(RETRY)) {
      throw node.refuse("as in CQL: NONE, ALWAYS, 99p, 50ms, MIN(99p,50ms), MAX(99p,50ms)");
    }
    return node.text();
  }

  /** As read; nothing that is as shipped. */
  Map<String, Object> written() {
    Map<String, Object> out = ordered();
    if (!speculativeRetry.equals(SHIPPED.speculativeRetry)) {
      out.put("speculative-retry", speculativeRetry);
    }
    if (!dynamicSnitch) {
      out.put("dynamic-snitch", "off");
    }
    return out;
  }
}
