/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import dev.manx.operate.canary.LatencyCounts;
import dev.manx.operate.look.NodeState;
import java.util.Optional;

/**
 * A node's rates between two samples. Rates are per second; a ratio of zero to zero is NaN.
 *
 * @param now the node at the second sample
 * @param calm requests left to stock because no read waited
 * @param planned requests planned
 * @param unpaged multigets read in parallel that stock would have paged
 * @param busy requests that ended between the samples while reads waited somewhere; empty if they
 *     are not known at both
 * @param queued reads that had to wait for a read thread
 * @param selectChanged percentage of reads sent to other replicas (in shadow: that would have been)
 * @param orderChanged percentage of dispatches of a read other than the oldest
 * @param faults exceptions in Manx's code since the node started
 * @param refusal the reason why a sample has no latencies; empty if the node does not count them
 */
record NodeRates(
    NodeState now,
    double calm,
    double planned,
    double unpaged,
    Optional<LatencyCounts> busy,
    double queued,
    double selectChanged,
    double orderChanged,
    long faults,
    String refusal) {

  private static final double MICROS_PER_MILLI = 1e3;

  static NodeRates between(Look before, Look now) {
    Delta delta = new Delta(before.node(), now.node());
    return new NodeRates(
        now.node(),
        delta.perSecond("requests_calm"),
        delta.perSecond("requests_planned"),
        delta.perSecond("multigets_unpaged"),
        delta.isKnown()
            ? now.busy().flatMap(later -> before.busy().map(later::since))
            : Optional.empty(),
        delta.perSecond("order_queued"),
        delta.percent("select_changed", "select_decisions"),
        delta.percent("order_changed", "order_decisions"),
        now.node().counter("faults"),
        now.refusal().isEmpty() ? before.refusal() : now.refusal());
  }

  /** P99 of requests, milliseconds; NaN without requests, or if they are not known. */
  static double p99Millis(Optional<LatencyCounts> busy) {
    return busy.filter(counts -> counts.count() > 0)
        .map(counts -> counts.quantileMicros(0.99) / MICROS_PER_MILLI)
        .orElse(Double.NaN);
  }

  private record Delta(NodeState before, NodeState now) {
    boolean isKnown() {
      return before.isPresent() && now.isPresent();
    }

    long of(String counter) {
      long since = now.counter(counter) - before.counter(counter);
      // A node that restarted in between counts from 0.
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
