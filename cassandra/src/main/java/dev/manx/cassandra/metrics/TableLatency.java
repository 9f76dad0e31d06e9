/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.util.ArrayList;
import java.util.List;
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
  static final long MOST_BYTES = CELLS * (DurationCounts.MOST_BYTES + 2 * Long.BYTES);

  private final AtomicReferenceArray<DurationCounts> cells = new AtomicReferenceArray<>(CELLS);
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

  void add(Width width, Group group, Pressure pressure, long nanos, Ending ending) {
    int index = index(width, group, pressure);
    DurationCounts cell = cell(index);
    if (ending == Ending.FAILED) {
      failed.incrementAndGet(index);
      return;
    }
    cell.add(nanos);
    if (ending == Ending.TIMED_OUT) {
      timedOut.incrementAndGet(index);
    }
  }

  /** The failed requests of a class. */
  RequestLatency.Failures failures(Width width, Group group, Pressure pressure) {
    int index = index(width, group, pressure);
    return new RequestLatency.Failures(timedOut.get(index), failed.get(index));
  }

  private DurationCounts cell(int index) {
    DurationCounts cell = cells.get(index);
    if (cell == null) {
      cells.compareAndSet(index, null, new DurationCounts());
      cell = cells.get(index);
    }
    return cell;
  }

  /** The buckets of a class; null if there are none yet. */
  DurationCounts get(Width width, Group group, Pressure pressure) {
    return cells.get(index(width, group, pressure));
  }

  /** All buckets of a width. */
  List<DurationCounts> of(Width width) {
    List<DurationCounts> found = new ArrayList<>();
    for (Group group : Group.values()) {
      for (Pressure pressure : Pressure.values()) {
        DurationCounts cell = get(width, group, pressure);
        if (cell != null) {
          found.add(cell);
        }
      }
    }
    return found;
  }

  /** Bytes in use. */
  long memoryBytes() {
    long bytes = CELLS * 2L * Long.BYTES;
    for (int i = 0; i < CELLS; i++) {
      bytes += cells.get(i) == null ? 0 : DurationCounts.MOST_BYTES;
    }
    return bytes;
  }

  /** As {@link DurationCounts#turn}. */
  void turn() {
    for (int i = 0; i < CELLS; i++) {
      DurationCounts cell = cells.get(i);
      if (cell != null) {
        cell.turn();
      }
    }
  }

  /** Adds another object's counts. */
  void take(TableLatency gone) {
    for (int i = 0; i < CELLS; i++) {
      DurationCounts cell = gone.cells.get(i);
      if (cell != null) {
        cell(i).take(cell);
        timedOut.addAndGet(i, gone.timedOut.get(i));
        failed.addAndGet(i, gone.failed.get(i));
      }
    }
  }
}
