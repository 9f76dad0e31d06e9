/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** The waiting times of reads that had to wait for a read thread. Any thread. */
public final class QueueWaits {
  private final DurationCounts ranked = new DurationCounts();
  private final DurationCounts inTurn = new DurationCounts();

  /**
   * Records that a read leaves the queue.
   *
   * @param waitsInTurn whether it kept its place in arrival order; otherwise the order ranked it
   */
  public void left(boolean waitsInTurn, long nanos) {
    (waitsInTurn ? inTurn : ranked).add(nanos);
  }

  DurationCounts ranked() {
    return ranked;
  }

  DurationCounts inTurn() {
    return inTurn;
  }

  /** Makes the recent part begin anew, as {@link DurationCounts#turn} does. */
  void turn() {
    ranked.turn();
    inTurn.turn();
  }
}
