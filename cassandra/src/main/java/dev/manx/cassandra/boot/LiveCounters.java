/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.read.ReadStage;
import java.util.Map;

/** The counters, with those that the read queue keeps itself. */
final class LiveCounters {
  private LiveCounters() {}

  static Map<String, Long> of(Counters counters, ReadStage stage) {
    Map<String, Long> values = counters.values();
    if (stage != null) {
      values.put(Counter.ORDER_DECISIONS.label(), stage.ranked().decisions());
      values.put(Counter.ORDER_CHANGED.label(), stage.ranked().changed());
      values.put(Counter.ORDER_DRAINED.label(), stage.ranked().drained());
      values.put(Counter.ORDER_CUTS.label(), stage.ranked().cuts());
    }
    return values;
  }
}
