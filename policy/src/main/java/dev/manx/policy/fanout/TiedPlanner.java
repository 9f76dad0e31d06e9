/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.tied}: a read goes to two replicas, the second after a stagger; each copy names the
 * other, and the one that starts first cancels the other.
 *
 * <p>Source: Dean and Barroso, The Tail at Scale (CACM 2013), tied requests. Deviations: with
 * {@code sender: replica} the first replica passes the copy on, and only if the read has not
 * started there when the stagger is over, so that most reads need no copy; a cancellation may stop
 * a read that has started; copies have a budget that success refills; no copy goes to a node whose
 * cores are busy ({@link SpareCores}); and a replica that has answered this coordinator nothing for
 * much longer than nodes do has stalled and passes nothing on, so its coordinator sends its reads
 * again ({@link Rescue}).
 */
/*
 * A copy does not carry its request's id. With the id, a longest-first queue would put it next to
 * the request's first copies at the peer, ahead of the cheaper ones. Both replicas would then have
 * the same read at the heads of their queues, start it within the delay of a cancellation, and run
 * it twice. Without the id, the copy queues behind the reads of equal rank that are already there.
 */
final class TiedPlanner implements FanoutPlanner {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "fanout.tied",
              "two copies that name each other; the first to start cancels the other")
          .source("The Tail at Scale (CACM 2013) tied requests; sender replica: Manx")
          .settings(
              Stagger.SETTING,
              Setting.word("sender", "sender of the second copy", "coordinator", "replica"),
              Cancelling.CANCEL_TIED,
              Cancelling.ABORT_AFTER,
              Setting.number("budget", 1, 0, 100, "copies earned by each read answered or served"),
              Setting.share(
                  "most-in-vain",
                  0.07,
                  0.001,
                  1,
                  "share of copies that both replicas run, beyond which few are sent; 1: no bound"),
              SpareCores.MOST,
              Setting.whole("burst", 1000, 1, 1_000_000, "most copies at once after a quiet time"),
              Rescue.SILENCE,
              Setting.whole(
                  "rescues",
                  100,
                  0,
                  1_000_000,
                  "most copies at once of reads at a node that stalls, with sender replica; each"
                      + " answered read earns 0.1 of a copy; 0: none"),
              Ranking.RANK,
              RankedPlanner.LONGEST_FIRST)
          .needs(Ability.TIED_COPIES)
          .make(
              s ->
                  new TiedPlanner(
                      new Stagger(s.number("stagger")),
                      s.word("sender").equals("replica"),
                      Cancelling.of(s),
                      s.real("budget"),
                      s.real("most-in-vain"),
                      s.number("burst"),
                      SpareCores.of(s),
                      s.word("sender").equals("replica") ? Rescue.of(s, Rescue.EARNED_TIED) : null,
                      RankedPlanner.of(s)));

  private static final long TICK_NANOS = 100_000_000;

  private final Stagger stagger;
  private final Copies copies;
  private final Cancelling cancelling;
  private final double budget;
  private final double mostInVain;
  private final long burst;
  private final SpareCores spareCores;
  private final CopyBudget own;
  private final Rescue rescue;
  private final RankedPlanner ranked;

  /**
   * Creates a planner without measurements.
   *
   * @param stagger time between the first copy and the second
   * @param byReplica whether the first replica passes the copy on
   * @param cancelling the extent of a cancellation
   * @param budget copies that a coordinator may send for each answered read, or a replica may pass
   *     on for each read that it served
   * @param mostInVain share of wasted copies beyond which few are sent; 1 for no bound
   * @param burst most copies in a burst after a quiet time
   * @param spareCores tells which nodes have the CPU for a copy
   * @param rescue rescues reads from stalled replicas; null for no rescues
   * @param ranked ranks the reads
   */
  TiedPlanner(
      Stagger stagger,
      boolean byReplica,
      Cancelling cancelling,
      double budget,
      double mostInVain,
      long burst,
      SpareCores spareCores,
      Rescue rescue,
      RankedPlanner ranked) {
    this.stagger = stagger;
    this.copies = byReplica ? Copies.FORWARDED : Copies.TIED;
    this.cancelling = cancelling;
    this.budget = budget;
    this.mostInVain = mostInVain;
    this.burst = burst;
    this.spareCores = spareCores;
    own = newReplicaBudget();
    this.rescue = rescue;
    this.ranked = ranked;
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    ranked.plan(request, selector, view);
    request.copies(copies);
    Plans.copyAfter(request, stagger.nanos(request));
    if (rescue != null) {
      rescue.sending(request, view);
    }
  }

  @Override
  public void heard(int node, long nowNanos) {
    if (rescue != null) {
      rescue.heard(node, nowNanos);
    }
  }

  @Override
  public long rescueAfterNanos() {
    return rescue == null ? Long.MAX_VALUE : rescue.afterNanos();
  }

  @Override
  public long onTimeForNanos(
      long rank, long costNanos, long elapsedNanos, int node, ClusterView view, long nowNanos) {
    return rescue == null
        ? 0
        : Math.max(0, rescue.leftNanos(costNanos, elapsedNanos, node, view, nowNanos));
  }

  // With a coordinator as the sender this decides on tied copies, otherwise on rescues only.
  @Override
  public boolean mayCopy(
      long costNanos, long elapsedNanos, int from, int to, ClusterView view, long nowNanos) {
    if (rescue == null) {
      return mayPassTo(to, view, nowNanos) && own.take();
    }
    if (rescue.isSilent(to, view, nowNanos)
        || !rescue.isStalled(costNanos, elapsedNanos, from, view, nowNanos)
        || !rescue.take()) {
      return false;
    }
    rescue.sending(to, view, nowNanos);
    return true;
  }

  @Override
  public void copyNotSent() {
    if (rescue == null) {
      own.abandoned();
    } else {
      rescue.abandoned();
    }
  }

  @Override
  public boolean mayPassTo(int node, ClusterView view, long nowNanos) {
    return spareCores.at(node, view, nowNanos);
  }

  @Override
  public void answered(long rank, long elapsedNanos, boolean copied) {
    own.succeeded();
    // Most reads may have been copied; only those at stalled nodes needed a rescue.
    if (rescue != null) {
      rescue.succeeded();
    }
  }

  @Override
  public void tick(ClusterView view, long nowNanos) {
    if (rescue != null) {
      rescue.tick();
    }
  }

  @Override
  public long tickIntervalNanos() {
    return rescue == null ? Long.MAX_VALUE : TICK_NANOS;
  }

  @Override
  public void copyWasted() {
    own.wasted();
  }

  @Override
  public Cancelling cancelling() {
    return cancelling;
  }

  @Override
  public final CopyBudget newReplicaBudget() {
    return new CopyBudget(burst, budget, mostInVain);
  }

  @Override
  public Request.Unit unit() {
    return ranked.unit();
  }
}
