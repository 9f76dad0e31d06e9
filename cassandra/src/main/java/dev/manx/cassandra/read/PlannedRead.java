/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.read;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.coordinate.ThreadPlan;
import dev.manx.policy.Request;

/**
 * A plan's values for a coordinator's own read.
 *
 * @param requestId 0 if it is not grouped with other reads of its request
 * @param tagged whether it is ranked by the plan rather than by its own cost
 */
record PlannedRead(
    long costNanos, long priority, long slack, long requestId, long keyHash, boolean tagged) {
  /** Creates the values of a read of a thread's plan; one that is only followed is not ranked. */
  static PlannedRead of(Engine engine, ThreadPlan plan, int read) {
    Request request = plan.request();
    boolean tagged = request.tagged() && !plan.isOnlyFollowed(engine);
    return new PlannedRead(
        request.costNanos(read),
        tagged ? request.priority(read) : request.cost(read),
        tagged ? request.slack(read) : 0,
        tagged && request.longestFirst() ? plan.requestId() : 0,
        request.keyHash(read),
        tagged);
  }

  /** Ranks a read by these values. */
  void rank(QueuedRead read) {
    read.costNanos = costNanos;
    read.priority = priority;
    read.slack = slack;
    read.requestId = requestId;
  }
}
