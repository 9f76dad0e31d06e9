/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;

/** The latencies of one table's requests; buckets are created on demand. Any thread. */
final class TableLatency {
  private static final int WIDTHS = Width.values().length;
  private static final int PRESSURES = Pressure.values().length;
  private static final int CELLS = WIDTHS * PRESSURES * Group.values().length;

  /** The keyspace; empty for the entry shared by tables without a separate one. */
  final String keyspace;

  /** The table. */
  final String table;

  /** Whether the canary includes it, so that its two groups can be compared. */
  final boolean compared;

  /** The most bytes of one table. */
  static final long MOST_BYTES =
      CELLS * (DurationCounts.MOST_BYTES + 2 * Long.BYTES) + WIDTHS * DurationCounts.MOST_BYTES;

  private final AtomicReferenceArray<DurationCounts> cells = new AtomicReferenceArray<>(CELLS);
  // By width: of all groups and pressures, each request with its weight.
  private final AtomicReferenceArray<DurationCounts> weighted = new AtomicReferenceArray<>(WIDTHS);
  private final AtomicLongArray timedOut = new AtomicLongArray(CELLS);
  private final AtomicLongArray failed = new AtomicLongArray(CELLS);

  TableLatency(String keyspace, String table, boolean compared) {
    this.keyspace = keyspace;
    this.table = table;
    this.compared = compared;
  }

  private static int index(Width width, Group group, Pressure pressure) {
    return (group.ordinal() * PRESSURES + pressure.ordinal()) * WIDTHS + width.ordinal();
  }

  void add(Width width, Group group, Pressure pressure, int weight, long nanos, Ending ending) {
    int index = index(width, group, pressure);
    DurationCounts cell = at(cells, index);
    DurationCounts all = at(weighted, width.ordinal());
    if (ending == Ending.FAILED) {
      failed.incrementAndGet(index);
      return;
    }
    cell.add(nanos);
    all.add(nanos, weight);
    if (ending == Ending.TIMED_OUT) {
      timedOut.incrementAndGet(index);
    }
  }

  /** The failed requests of a class. */
  RequestLatency.Failures failures(Width width, Group group, Pressure pressure) {
    int index = index(width, group, pressure);
    return new RequestLatency.Failures(timedOut.get(index), failed.get(index));
  }

  private static DurationCounts at(AtomicReferenceArray<DurationCounts> counts, int index) {
    DurationCounts found = counts.get(index);
    if (found == null) {
      counts.compareAndSet(index, null, new DurationCounts());
      found = counts.get(index);
    }
    return found;
  }

  /** The buckets of a class; null if there are none yet. */
  DurationCounts get(Width width, Group group, Pressure pressure) {
    return cells.get(index(width, group, pressure));
  }

  /**
   * The buckets of a width over all groups and pressures, in which a request counts as often as the
   * requests that it represents; null if there are none yet.
   */
  DurationCounts weighted(Width width) {
    return weighted.get(width.ordinal());
  }

  /** Bytes in use. */
  long memoryBytes() {
    long bytes = CELLS * 2L * Long.BYTES;
    for (int i = 0; i < CELLS; i++) {
      bytes += cells.get(i) == null ? 0 : DurationCounts.MOST_BYTES;
    }
    for (int i = 0; i < WIDTHS; i++) {
      bytes += weighted.get(i) == null ? 0 : DurationCounts.MOST_BYTES;
    }
    return bytes;
  }

  /** Makes the recent part begin anew, as {@link DurationCounts#turn} does. */
  void turn() {
    turn(cells);
    turn(weighted);
  }

  private static void turn(AtomicReferenceArray<DurationCounts> counts) {
    for (int i = 0; i < counts.length(); i++) {
      DurationCounts each = counts.get(i);
      if (each != null) {
        each.turn();
      }
    }
  }

  /** Adds another object's counts. */
  void take(TableLatency gone) {
    for (int i = 0; i < CELLS; i++) {
      DurationCounts cell = gone.cells.get(i);
      if (cell != null) {
        at(cells, i).take(cell);
        timedOut.addAndGet(i, gone.timedOut.get(i));
        failed.addAndGet(i, gone.failed.get(i));
      }
    }
    for (int i = 0; i < WIDTHS; i++) {
      DurationCounts all = gone.weighted.get(i);
      if (all != null) {
        at(weighted, i).take(all);
      }
    }
  }
}
