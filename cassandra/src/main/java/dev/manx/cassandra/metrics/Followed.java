/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import org.apache.cassandra.schema.TableMetadata;

/**
 * A request whose latency is recorded when it ends.
 *
 * @param weight number of requests that it represents
 * @param sinceNanos time of its arrival at Manx
 */
public record Followed(
    RequestLatency into,
    TableMetadata table,
    Width width,
    Group group,
    Pressure pressure,
    int weight,
    long sinceNanos) {
  /** Records that the request was answered. */
  public void ended(long nowNanos) {
    ended(nowNanos, Ending.ANSWERED);
  }

  /**
   * Records the request's end: a latency, unless the request failed in another way than by a
   * time-out.
   */
  public void ended(long nowNanos, Ending ending) {
    into.add(table, width, group, pressure, weight, nowNanos - sinceNanos, ending);
  }
}
