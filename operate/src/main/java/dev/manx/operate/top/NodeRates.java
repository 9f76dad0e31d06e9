/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import dev.manx.operate.canary.Latencies;
import dev.manx.operate.look.NodeState;

/**
 * A node's rates between two looks. Rates are per second; a share without anything to share is not
 * a number.
 *
 * @param now the node at the second look
 * @param calm requests left to stock because no read waited
 * @param planned requests planned
 * @param unpaged multigets read in parallel that would have been paged
 * @param busy requests that ended between the looks while reads waited somewhere
 * @param queued reads that had to wait for a read thread
 * @param selectChanged percentage of reads that went, or in shadow would have gone, elsewhere
 * @param orderChanged percentage of dispatches of another read than the oldest
 * @param faults throwables of Manx's own code since the node started
 */
record NodeRates(
    NodeState now,
    double calm,
    double planned,
    double unpaged,
    Latencies busy,
    double queued,
    double selectChanged,
    double orderChanged,
    long faults) {

  private static final double MICROS_PER_MILLI = 1e3;

  static NodeRates between(Look before, Look now) {
    Delta delta = new Delta(before.node(), now.node());
    return new NodeRates(
        now.node(),
        delta.perSecond("requests_calm"),
        delta.perSecond("requests_planned"),
        delta.perSecond("multigets_unpaged"),
        delta.isKnown() ? now.busy().since(before.busy()) : new Latencies(),
        delta.perSecond("order_queued"),
        delta.percent("select_changed", "select_decisions"),
        delta.percent("order_changed", "order_decisions"),
        now.node().counter("faults"));
  }

  /** P99 of requests, milliseconds; not a number without one. */
  static double p99Millis(Latencies busy) {
    return busy.count() > 0 ? busy.quantileMicros(0.99) / MICROS_PER_MILLI : Double.NaN;
  }

  private record Delta(NodeState before, NodeState now) {
    boolean isKnown() {
      return before.isPresent() && now.isPresent();
    }

    long of(String counter) {
      long since = now.counter(counter) - before.counter(counter);
      // A node that restarted meanwhile counts from 0.
      return since < 0 ? now.counter(counter) : since;
    }

    double perSecond(String counter) {
      double seconds = (now.nanos() - before.nanos()) / 1e9;
      return isKnown() && seconds > 0 ? of(counter) / seconds : Double.NaN;
    }

    double percent(String part, String whole) {
      return isKnown() && of(whole) > 0 ? 100.0 * of(part) / of(whole) : Double.NaN;
    }
  }
}
