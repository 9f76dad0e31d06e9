/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;

/** The copies of a read that may have a second one, and whether either was answered. */
final class Twins {
  private Copies rule;
  final long copyAfterNanos;

  /** The nodes that the plan ranks first for the first copy and for the second. */
  private final int firstNode;

  private final int secondNode;

  /** The read's rank before it was copied; its own cost is in the same unit. */
  final long rank;

  final long cost;

  /** Copies that have not ended. */
  Read first;

  Read second;

  long firstSentNanos;

  /** Whether a second copy was ever sent. */
  boolean copied;

  /** Whether the coordinator is writing a second copy, which takes a core some time. */
  boolean beingWritten;

  /** The priority of the second copy. */
  long copyPriority;

  boolean answered;

  private long firstStartNanos = Long.MAX_VALUE;
  private long secondStartNanos = Long.MAX_VALUE;

  /** Whether one of the copies was served to its end. */
  boolean finished;

  /** Time from which an arriving second copy is dropped, because its cancellation came first. */
  long tombstoneNanos = Long.MAX_VALUE;

  /** Copies that may still be answered. */
  int open = 1;

  /** Whether the second copy is due. */
  boolean late;

  /** The next read of the same request whose due copy waits until fewer reads are left. */
  Read nextDue;

  Twins(Copies rule, long copyAfterNanos, int secondNode, long cost, Read first) {
    this.rule = rule;
    this.copyAfterNanos = copyAfterNanos;
    this.firstNode = first.node;
    this.secondNode = secondNode;
    this.first = first;
    rank = first.priority;
    this.cost = cost;
  }

  /** The rule by which the second copy is sent. */
  Copies rule() {
    return rule;
  }

  /**
   * Records that the coordinator instead of a stalled first replica sends the second copy: no tie
   * binds the two, and as on nodes neither is cancelled.
   */
  void rescued() {
    rule = Copies.SPECULATIVE;
  }

  /**
   * Target of the second copy of a read that was sent; a gate may have sent it to another node than
   * the plan.
   */
  int copyNode(Read sent) {
    return sent.node == secondNode ? firstNode : secondNode;
  }

  /** Records the end of a copy, which may be reused. */
  void forget(Read read) {
    if (first == read) {
      first = null;
    } else {
      second = null;
    }
  }

  /** Whether this one of two started copies started later; the second, if both started at once. */
  boolean startedLater(Read one) {
    return one == first ? firstStartNanos > secondStartNanos : secondStartNanos >= firstStartNanos;
  }

  /** Records the start of a copy's service; a tied peer is notified. */
  void started(Read one, World world) {
    long now = world.calendar.now();
    if (one == first) {
      firstStartNanos = now;
    } else {
      secondStartNanos = now;
    }
    if (!tied()) {
      return;
    }
    Read other = other(one);
    if (other != null) {
      if (!other.isOver) {
        world.replicas[one.node].message();
        world.cancel(other);
      }
    } else if (rule == Copies.TIED && !copied) {
      // The first copy names a peer that may not have received its copy yet.
      world.replicas[one.node].message();
      world.replicas[copyNode(one)].message();
      world.messages++;
      tombstoneNanos =
          now
              + world.model.network().oneWayNanos()
              + world.replicas[one.node].farNanos
              + world.replicas[copyNode(one)].farNanos;
    }
  }

  /** Whether a read was handed on and is not the copy. */
  boolean isHandedOn(Read one) {
    return rule == Copies.FORWARDED && one == first;
  }

  /** Whether a read is the copy that a replica has passed on. */
  boolean isPassedOn(Read one) {
    return rule == Copies.FORWARDED && one == second;
  }

  /** The other copy; null if none exists. */
  Read other(Read one) {
    return one == first ? second : first;
  }

  /** Whether copies notify each other rather than the coordinator. */
  boolean tied() {
    return rule == Copies.TIED || rule == Copies.FORWARDED;
  }
}
