/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.policy.config.Setting;

/**
 * The settings of stock Cassandra that affect tail latency, so that a baseline can be tuned.
 *
 * @param speculativeRetry the table's option {@code speculative_retry}, in CQL syntax
 * @param dynamicSnitch whether the dynamic snitch ranks replicas
 */
record StockSettings(String speculativeRetry, boolean dynamicSnitch) {
  /** The defaults of Cassandra. */
  static final StockSettings SHIPPED = new StockSettings("99p", true);

  private static final String NUMBER = "[0-9]{1,6}(\\.[0-9]{1,3})?";
  private static final String ONE = "(" + NUMBER + "(p|percentile|ms))";
  private static final String RETRY =
      "(?i)none|never|always|" + ONE + "|(min|max)\\(" + ONE + ", ?" + ONE + "\\)";

  static final Key[] KEYS = {
    Key.of(
            Setting.text(
                "speculative-retry",
                SHIPPED.speculativeRetry,
                RETRY,
                "as in CQL: NONE, ALWAYS, 99p, 50ms, MIN(99p,50ms), MAX(99p,50ms)",
                "the table's option `speculative_retry`"))
        .quiet(),
    Key.of(
            Setting.word(
                "dynamic-snitch",
                "whether it ranks replicas; off only in modes absent and off, or for all arms by"
                    + " dynamic_snitch: false in cassandra-yaml",
                "on",
                "off"))
        .quiet()
  };

  static StockSettings read(Part arm) {
    return new StockSettings(
        arm.word("speculative-retry"), arm.word("dynamic-snitch").equals("on"));
  }
}
