/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import java.util.List;

/**
 * One measured property of a node as others see it: a wire id that never changes its meaning, and
 * its numbers.
 *
 * <p>A newer version of Manx may append numbers to a fact. An older version reads the numbers that
 * it knows; a newer version reads the numbers that an older one sent.
 *
 * @param id wire id, positive
 * @param name its name in the strategy's {@code facts} list
 * @param columns its numbers in wire order
 */
public record Fact(int id, String name, List<FactColumn> columns) {
  /** Reads waiting or running in the node's read stage. */
  public static final Fact PENDING_READS =
      new Fact(1, "pending-reads", List.of(FactColumn.PENDING_READS));

  /** Smoothed service times of a read: over all reads, small reads and large reads. */
  public static final Fact SERVICE_TIME =
      new Fact(
          2,
          "service-time",
          List.of(
              FactColumn.SERVICE_TIME,
              FactColumn.SERVICE_TIME_SMALL,
              FactColumn.SERVICE_TIME_LARGE));

  /** Forecast service time of all reads waiting in the node's read stage. */
  public static final Fact WORK_AHEAD = new Fact(3, "work-ahead", List.of(FactColumn.WORK_AHEAD));

  /** Reads ended so far; a reader derives from it the time between two ends. */
  public static final Fact COMPLETED_READS =
      new Fact(4, "completed-reads", List.of(FactColumn.COMPLETED_READS));

  /**
   * Ratio of the node's service times to their forecasts, execution alone; in thousandths.
   * Forecasts include sizes, so a node with large values does not count as slow.
   */
  public static final Fact SLOWNESS = new Fact(5, "slowness", List.of(FactColumn.SLOWNESS));

  /**
   * Wire id of a mark without numbers that any strategy may send and read: the reads queued at this
   * node wait for a core.
   */
  static final int WAITS_FOR_CORES_ID = 6;

  /** Share of the cores of the node's host in use, by all processes; in thousandths. */
  public static final Fact CORES = new Fact(7, "cores", List.of(FactColumn.CORES_IN_USE));

  /** Every fact, by id. */
  public static final List<Fact> ALL =
      List.of(PENDING_READS, SERVICE_TIME, WORK_AHEAD, COMPLETED_READS, SLOWNESS, CORES);

  /** Most bytes of the numbers. */
  int maxBytes() {
    return columns.size() * Varints.MAX_BYTES;
  }

  /** Measures and writes the numbers; returns the index after them. */
  int encode(LocalLoad load, byte[] into, int at) {
    int place = at;
    for (int i = 0; i < columns.size(); i++) {
      place = Varints.put(into, place, load.value(columns.get(i)));
    }
    return place;
  }

  /** Skips the numbers; the reader's {@code ok} tells whether all of them were whole. */
  void check(Varints.Reader reader) {
    for (int i = 0; i < columns.size() && reader.hasMore(); i++) {
      reader.number();
    }
  }

  /** Reads the numbers into a node's columns. */
  void apply(Varints.Reader reader, ClusterState into, int node, long nowNanos) {
    for (int i = 0; i < columns.size() && reader.hasMore(); i++) {
      FactColumn column = columns.get(i);
      into.apply(column, node, Math.min(column.most(), reader.number()), nowNanos);
    }
  }
}
