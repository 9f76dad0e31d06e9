/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;

/** A read that may have a second copy: both copies, and whether one was answered. */
final class Twins {
  final Copies rule;
  final long copyAfterNanos;

  /** Where the second copy would go. */
  final int copyNode;

  /** The read's rank before it was copied; its own cost is in the same unit. */
  final long rank;

  final long cost;

  /** The copies that are not over. */
  Read first;

  Read second;

  long firstSentNanos;

  /** Whether there ever was a second copy. */
  boolean copied;

  boolean answered;

  private long firstStartNanos = Long.MAX_VALUE;
  private long secondStartNanos = Long.MAX_VALUE;

  /** One of them was served to its end. */
  boolean finished;

  /** From when on a second copy that arrives is dropped, for its cancellation came before it. */
  long tombstoneNanos = Long.MAX_VALUE;

  /** Copies that may still be answered. */
  int open = 1;

  /** The time of the second copy has come. */
  boolean late;

  /** The next read of the same request whose copy is due and waits until fewer reads are left. */
  Read nextDue;

  Twins(Copies rule, long copyAfterNanos, int copyNode, long cost, Read first) {
    this.rule = rule;
    this.copyAfterNanos = copyAfterNanos;
    this.copyNode = copyNode;
    this.first = first;
    rank = first.priority;
    this.cost = cost;
  }

  /** A copy's way is at its end, and it may be reused. */
  void forget(Read read) {
    if (first == read) {
      first = null;
    } else {
      second = null;
    }
  }

  /** Of two copies that started, whether this one did later; the second, if both did at once. */
  boolean startedLater(Read one) {
    return one == first ? firstStartNanos > secondStartNanos : secondStartNanos >= firstStartNanos;
  }

  /** A copy's service begins; where copies are tied its peer is told so. */
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
        world.cancel(other);
      }
    } else if (rule == Copies.TIED && !copied) {
      // The first copy names a peer that may not have its own yet.
      world.messages++;
      tombstoneNanos = now + world.model.network().oneWayNanos();
    }
  }

  /** Whether a read was handed on, and is not the copy. */
  boolean isHandedOn(Read one) {
    return rule == Copies.FORWARDED && one == first;
  }

  /** The other copy; null if there is none, or none any more. */
  Read other(Read one) {
    return one == first ? second : first;
  }

  /** Whether copies tell each other, rather than the coordinator. */
  boolean tied() {
    return rule == Copies.TIED || rule == Copies.FORWARDED;
  }
}
