/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;

/** A read that may have a second copy: both copies, and whether one was answered. */
final class Twins {
  final Copies rule;
  final long copyAfterNanos;

  /** Where the second copy would go. */
  final int copyNode;

  /** The copies that are not over. */
  Read first;

  Read second;

  long firstSentNanos;

  /** Whether there ever was a second copy. */
  boolean copied;

  boolean answered;

  /** The first copy's service began. */
  boolean started;

  /** Copies that may still be answered. */
  int open = 1;

  Twins(Copies rule, long copyAfterNanos, int copyNode, Read first) {
    this.rule = rule;
    this.copyAfterNanos = copyAfterNanos;
    this.copyNode = copyNode;
    this.first = first;
  }

  /** A copy's way is at its end, and it may be reused. */
  void forget(Read read) {
    if (first == read) {
      first = null;
    } else {
      second = null;
    }
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
