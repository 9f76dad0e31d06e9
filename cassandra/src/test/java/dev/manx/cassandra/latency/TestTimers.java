/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.latency;

import org.apache.cassandra.metrics.DecayingEstimatedHistogramReservoir;
import org.apache.cassandra.metrics.SnapshottingTimer;

/** Timers of a table's reads for tests of other packages. */
public final class TestTimers {
  private TestTimers() {}

  /** A table's own timer. */
  public static SnapshottingTimer stock() {
    return new SnapshottingTimer(new DecayingEstimatedHistogramReservoir());
  }

  /** A timer in front of a table's own, during a multiget whose reads are not tracked. */
  public static SnapshottingTimer inFront() {
    return new TableTimer(
        stock(),
        () -> ReadTimes.UNKNOWN,
        t -> {
          throw new IllegalStateException(t);
        });
  }
}
