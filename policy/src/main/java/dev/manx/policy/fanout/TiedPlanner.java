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
 * <p>Source: Dean and Barroso, The Tail at Scale (CACM 2013), tied requests. Deviations: with
 * {@code sender: replica} it is the first replica that hands the copy on, and only if the read has
 * not started there when the stagger is over, so that most reads send no copy at all; a
 * cancellation may stop a read that has started; copies have a budget that success refills.
 */
/*
 * A copy does not carry its request's id. With the id a longest-first queue would put it beside the
 * request's own reads at the peer, ahead of the cheaper ones. Both replicas then hold the same read at
 * their heads, start it within the delay of a cancellation, and run it twice. Without the id the copy
 * stands behind the reads of equal rank that are there already.
 */
public final class TiedPlanner implements FanoutPlanner {
  private final long staggerNanos;
  private final Copies copies;
  private final Cancelling cancelling;
  private final double budget;
  private final long burst;
  private final CopyBudget own;
  private final Ranking ranking;
  private final boolean longestFirst;

  /**
   * A planner without memory.
   *
   * @param staggerNanos between the first copy and the second
   * @param byReplica the first replica hands the copy on
   * @param cancelling what a cancellation stops
   * @param budget copies that a coordinator may send for each read answered, or that a replica may
   *     hand on for each read that it served
   * @param burst copies that it may send at once after a quiet time
   * @param ranking the priorities
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public TiedPlanner(
      long staggerNanos,
      boolean byReplica,
      Cancelling cancelling,
      double budget,
      long burst,
      Ranking ranking,
      boolean longestFirst) {
    this.staggerNanos = staggerNanos;
    this.copies = byReplica ? Copies.FORWARDED : Copies.TIED;
    this.cancelling = cancelling;
    this.budget = budget;
    this.burst = burst;
    own = newReplicaBudget();
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
  public boolean mayCopy(long costNanos, long elapsedNanos, int node, ClusterView view) {
    return own.take();
  }

  @Override
  public void answered(long rank, long elapsedNanos, boolean copied) {
    own.succeeded();
  }

  @Override
  public Cancelling cancelling() {
    return cancelling;
  }

  @Override
  public final CopyBudget newReplicaBudget() {
    return new CopyBudget(burst, budget);
  }

  @Override
  public Request.Unit unit() {
    return ranking.unit();
  }
}
