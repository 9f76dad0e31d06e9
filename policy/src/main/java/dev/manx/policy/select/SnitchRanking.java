/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import java.util.Arrays;

/**
 * The stock order, unless a replica in it scores worse, by {@code badness}, than the replica at the
 * same position in the order by score; then the order by score, with equal scores in stock order.
 *
 * <p>Source: Cassandra 5.0.9, {@code DynamicEndpointSnitch}.
 */
abstract class SnitchRanking implements Selector {
  static final Setting BADNESS =
      Setting.number("badness", 1, 0, 1_000, "how much worse than the best a replica may be");
  static final Setting TIMEOUT =
      Setting.duration("timeout", "5s", "1ms", "1h", "latency that a timed-out read counts as");

  private final double badness;

  /**
   * Sets when the stock order is replaced.
   *
   * @param badness how much worse a replica may be; 0 to replace it always
   */
  SnitchRanking(double badness) {
    this.badness = badness;
  }

  /** A node's score, not negative, smaller is better; 0 for an unknown node. */
  abstract double score(int node);

  /** Called when two or more replicas are in order. */
  void ranked(Request request, int from, int to, ClusterView view) {}

  @Override
  public final void rank(Request request, int read, int from, int to, ClusterView view) {
    if (to - from > 1) {
      order(request, from, to - from);
      ranked(request, from, to, view);
    }
  }

  private void order(Request request, int from, int count) {
    int[] replicas = request.replicas();
    // Bits of non-negative doubles sort like the doubles.
    long[] bits = request.scratch(2 * count);
    for (int i = 0; i < count; i++) {
      bits[i] = request.recalled(Double.doubleToLongBits(score(replicas[from + i])));
      bits[count + i] = bits[i];
    }
    Arrays.sort(bits, count, 2 * count);
    if (badness > 0 && !isBad(bits, count)) {
      return;
    }
    for (int i = 1; i < count; i++) {
      int node = replicas[from + i];
      long score = bits[i];
      int place = i;
      for (; place > 0 && bits[place - 1] > score; place--) {
        bits[place] = bits[place - 1];
        replicas[from + place] = replicas[from + place - 1];
      }
      bits[place] = score;
      replicas[from + place] = node;
    }
  }

  private boolean isBad(long[] bits, int count) {
    for (int i = 0; i < count; i++) {
      double here = Double.longBitsToDouble(bits[i]);
      if (here > Double.longBitsToDouble(bits[count + i]) * (1 + badness)) {
        return true;
      }
    }
    return false;
  }
}
