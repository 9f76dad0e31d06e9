/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;

/**
 * {@code fanout.tied}: a read goes to two replicas, the second after a stagger; each copy names the
 * other, and the one that starts first cancels its peer.
 *
 * <p>Source: Dean and Barroso, The Tail at Scale (CACM 2013), tied requests. Deviation: with {@code
 * sender: replica} it is the first replica that hands the copy on, and only if the read has not
 * started there when the stagger is over; most reads then send no copy at all.
 */
public final class TiedPlanner implements FanoutPlanner {
  private final long staggerNanos;
  private final Copies copies;
  private final Ranking ranking;
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param staggerNanos between the first copy and the second
   * @param byReplica the first replica hands the copy on
   * @param ranking the priorities
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public TiedPlanner(long staggerNanos, boolean byReplica, Ranking ranking, boolean longestFirst) {
    this.staggerNanos = staggerNanos;
    this.copies = byReplica ? Copies.FORWARDED : Copies.TIED;
    this.ranking = ranking;
    this.longestFirst = longestFirst;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    ranking.plan(request, longestFirst, selector, view);
    request.copies(copies);
    Plans.copyAfter(request, staggerNanos);
  }

  @Override
  public Request.Unit unit() {
    return ranking.unit();
  }
}
