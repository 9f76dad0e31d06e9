/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Slowness;

/**
 * Rescues reads from nodes that have stopped answering ({@link Silence}): their copies have a
 * budget of their own, since there are many of them at once and they are never wasted while the
 * stall lasts. A stalled node gets no copies. A read that is long in itself waits for at least
 * twice its forecast: while it runs alone, its node has nothing to answer. Any thread.
 */
final class Rescue {
  static final Setting SILENCE =
      Setting.share(
          "silence",
          0.99,
          0.01,
          0.9999,
          "quantile of the times between a node's answers; a node that is silent for twice that has"
              + " stalled");

  /** Copies earned by a hedged read that was answered in time, whatever its other budget. */
  static final double EARNED = 0.05;

  /** Copies earned by an answered tied read, whose other budget does not serve rescues. */
  static final double EARNED_TIED = 2 * EARNED;

  private static final long TIMES_COST = 2;

  // A report cannot make a node look slower than this, so that it cannot postpone the node's
  // rescues for ever.
  private static final long SLOWEST = 16 * Slowness.UNIT;

  // A part of the limit of silence: the shortest time between two checks of a read.
  private static final long AGAIN = 4;

  private final Silence silence;
  private final CopyBudget budget;

  /**
   * @param silence finds stalled nodes
   * @param budget limits the copies of their reads
   */
  Rescue(Silence silence, CopyBudget budget) {
    this.silence = silence;
    this.budget = budget;
  }

  /**
   * Creates the rescue that the settings {@code silence} and {@code rescues} describe.
   *
   * @param perAnswer copies earned by each read answered in time
   * @return null for no rescues
   */
  static Rescue of(Values settings, double perAnswer) {
    long burst = settings.number("rescues");
    return burst == 0
        ? null
        : new Rescue(new Silence(settings.real("silence")), new CopyBudget(burst, perAnswer));
  }

  /** Records that the reads of a planned request are about to be sent. */
  void sending(Request request, ClusterView view) {
    int reads = request.reads();
    for (int read = 0; read < reads; read++) {
      for (int rank = 0; rank < request.contacts(read); rank++) {
        silence.sending(request.replica(read, rank), view, request.nowNanos());
      }
    }
  }

  /** Records that a copy is about to be sent to a node. */
  void sending(int node, ClusterView view, long nowNanos) {
    silence.sending(node, view, nowNanos);
  }

  /** Records that a node showed a sign of life, now or some time ago. */
  void heard(int node, long signNanos) {
    silence.heard(node, signNanos);
  }

  /**
   * Time after which a sent read may have to be rescued at the earliest; without limit at first.
   */
  long afterNanos() {
    return silence.limitNanos();
  }

  /**
   * Time after which a sent read of known cost may have to be rescued at the earliest.
   *
   * @param costNanos its forecast, for an average node
   */
  long afterNanos(long costNanos, int node, ClusterView view) {
    long slowness = Math.min(SLOWEST, view.value(FactColumn.SLOWNESS, node));
    double own = slowness <= 0 ? costNanos : (double) costNanos * slowness / Slowness.UNIT;
    return Math.max(silence.limitNanos(), Math.round(TIMES_COST * own));
  }

  /**
   * How much longer to wait for a read of this cost and age at a node; 0 or less if the node has
   * stalled since it was sent.
   */
  long leftNanos(long costNanos, long elapsedNanos, int node, ClusterView view, long nowNanos) {
    // A read that was lost long ago makes a node look silent to a read that it has just received.
    long silent = Math.min(elapsedNanos, silentNanos(elapsedNanos, node, view, nowNanos));
    long left = afterNanos(costNanos, node, view) - silent;
    return left <= 0 ? left : Math.max(left, silence.limitNanos() / AGAIN);
  }

  /** Whether a node has stalled, as seen from a read of this cost and age. */
  boolean isStalled(long costNanos, long elapsedNanos, int node, ClusterView view, long nowNanos) {
    return silentNanos(elapsedNanos, node, view, nowNanos) >= afterNanos(costNanos, node, view);
  }

  /** How long a node that has an unanswered read of this age has been silent. */
  private long silentNanos(long elapsedNanos, int node, ClusterView view, long nowNanos) {
    // A node that died has the read, and no open reads: it may be silent since it got the read.
    return view.outstandingReads(node) == 0
        ? elapsedNanos
        : silence.silentNanos(node, view, nowNanos);
  }

  /** Whether a node has been silent for so long that it should get no copy. */
  boolean isSilent(int node, ClusterView view, long nowNanos) {
    return silence.silentNanos(node, view, nowNanos) >= silence.limitNanos();
  }

  /** Takes a copy from the budget; false if none is left. */
  boolean take() {
    return budget.take();
  }

  /** Returns the copy taken last to the budget: it was not sent after all. */
  void abandoned() {
    budget.abandoned();
  }

  /** Records a read that was answered in time. */
  void succeeded() {
    budget.succeeded();
  }

  /** Computes the limit of silence anew. */
  void tick() {
    silence.tick();
  }
}
