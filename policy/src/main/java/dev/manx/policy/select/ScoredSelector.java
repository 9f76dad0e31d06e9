/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;

/**
 * Ranks by a score per node, smallest first. Equal scores are in random order, since a fixed order
 * would send every coordinator to the same node; or in stock order, to measure what random order
 * contributes.
 */
abstract class ScoredSelector implements Selector {
  private final boolean tiesByChance;

  /** Creates a selector with equal scores in random order. */
  ScoredSelector() {
    this(true);
  }

  /**
   * Creates a selector with a given order of equal scores.
   *
   * @param tiesByChance random rather than stock order
   */
  ScoredSelector(boolean tiesByChance) {
    this.tiesByChance = tiesByChance;
  }

  /** The node's score, computed once per ranking, since its inputs may change meanwhile. */
  abstract long score(Request request, int read, int node, ClusterView view);

  /**
   * Called before the scores of a read's replicas are computed, with the replicas in stock order;
   * also for a single replica.
   */
  void compare(Request request, int from, int to, ClusterView view) {}

  @Override
  public final void rank(Request request, int read, int from, int to, ClusterView view) {
    compare(request, from, to, view);
    int count = to - from;
    if (count < 2) {
      return;
    }
    int[] replicas = request.replicas();
    if (tiesByChance) {
      shuffle(request, replicas, from, count);
    }
    // Insertion sort is stable, so the order up to here decides among equals.
    long[] scores = request.scratch(count);
    for (int i = 0; i < count; i++) {
      int node = replicas[from + i];
      long score = score(request, read, node, view);
      int place = i;
      while (place > 0 && scores[place - 1] > score) {
        scores[place] = scores[place - 1];
        replicas[from + place] = replicas[from + place - 1];
        place--;
      }
      scores[place] = score;
      replicas[from + place] = node;
    }
  }

  /** Puts {@code count} replicas into random order. */
  static void shuffle(Request request, int[] replicas, int from, int count) {
    for (int i = count - 1; i > 0; i--) {
      int j = request.random().nextInt(i + 1);
      int swapped = replicas[from + i];
      replicas[from + i] = replicas[from + j];
      replicas[from + j] = swapped;
    }
  }
}
