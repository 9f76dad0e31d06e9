/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.control.Counters;
import dev.manx.cassandra.read.ReadStage;
import java.util.Map;
import java.util.TreeMap;

/** The counters, including those kept by the read queue. */
final class LiveCounters {
  private LiveCounters() {}

  static Map<String, Long> of(Counters counters, ReadStage stage) {
    Map<String, Long> values = new TreeMap<>();
    for (Counter counter : Counter.values()) {
      values.put(counter.label(), get(counters, stage, counter));
    }
    return values;
  }

  /**
   * The value of a counter.
   *
   * @param stage the read stage in front of stock's, or null
   */
  static long get(Counters counters, ReadStage stage, Counter counter) {
    if (stage == null) {
      return counters.get(counter);
    }
    return switch (counter) {
      case ORDER_DECISIONS -> stage.ranked().decisions();
      case ORDER_CHANGED -> stage.ranked().changed();
      case ORDER_DRAINED -> stage.ranked().drained();
      case ORDER_CUTS -> stage.ranked().cuts();
      case ORDER_OVERLOADED -> stage.ranked().overloaded();
      case ORDER_LONG -> stage.ranked().servedLong();
      default -> counters.get(counter);
    };
  }
}
