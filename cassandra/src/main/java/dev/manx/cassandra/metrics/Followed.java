/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import org.apache.cassandra.schema.TableMetadata;

/**
 * A request whose latency will be entered when it ends.
 *
 * @param sinceNanos when it came to Manx
 */
public record Followed(
    RequestLatency into,
    TableMetadata table,
    Width width,
    Group group,
    Pressure pressure,
    long sinceNanos) {
  /** Whether it is one of the few that are followed while no read waits. */
  public boolean isCalm() {
    return pressure == Pressure.CALM;
  }

  /** It has ended, well or not. */
  public void ended(long nowNanos) {
    into.add(table, width, group, pressure, nowNanos - sinceNanos);
  }
}
