/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** The waiting times of reads that had to wait for a read thread. Any thread. */
public final class QueueWaits {
  private final Buckets ranked = new Buckets();
  private final Buckets inTurn = new Buckets();

  /**
   * Records that a read leaves the queue.
   *
   * @param waitsInTurn whether it kept its place in arrival order; otherwise the order ranked it
   */
  public void left(boolean waitsInTurn, long nanos) {
    (waitsInTurn ? inTurn : ranked).add(nanos);
  }

  Buckets ranked() {
    return ranked;
  }

  Buckets inTurn() {
    return inTurn;
  }

  /** As {@link Buckets#turn}. */
  void turn() {
    ranked.turn();
    inTurn.turn();
  }
}
