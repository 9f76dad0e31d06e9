/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.order;

/**
 * Whether a queue counts as overloaded: from the time when so many reads have been served in a row
 * while others waited, or when an eighth of that number (at least 16) waits, or when reads would
 * wait too long in arrival order, until none waits. Sequential.
 *
 * <p>A stable queue is empty now and then; if it has not been empty for long, more arrives than can
 * be served, temporarily or permanently (CoDel, Nichols and Jacobson, ACM Queue 2012, tells a
 * standing queue from a burst in a similar way, by its shortest delay over some time). Reads, not
 * seconds, make the rule independent of the node's speed. A burst of very wide requests also
 * counts.
 */
final class Overload {
  private static final int PART_THAT_WAITS = 8;
  private static final int LEAST_WAITING = 16;

  private final int after;
  private int servedInARow;
  private boolean now;
  private long served;

  /**
   * @param after reads served in a row while others waited; 0: the queue never counts as overloaded
   */
  Overload(int after) {
    this.after = after;
  }

  /** Whether the queue counts as overloaded. */
  boolean now() {
    return now;
  }

  /** Reads served while the queue counted as overloaded. */
  long served() {
    return served;
  }

  /** Records that the queue is overloaded, as it was when a choice was recorded. */
  void recorded() {
    now = true;
  }

  /**
   * Records that a read was served.
   *
   * @param waiting reads that still wait
   * @param late whether reads would wait too long in arrival order; false where that is not
   *     measured
   * @return whether the queue counts as overloaded from now on, and did not before
   */
  boolean begins(int waiting, boolean late) {
    served += now ? 1 : 0;
    if (waiting == 0) {
      emptied();
    }
    if (now || waiting == 0 || after == 0) {
      return false;
    }
    servedInARow++;
    int many = Math.max(LEAST_WAITING, after / PART_THAT_WAITS);
    now = late || servedInARow >= after || waiting >= many;
    return now;
  }

  /** Records that no read waits. */
  void emptied() {
    servedInARow = 0;
    now = false;
  }
}
