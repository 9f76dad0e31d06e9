/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code fanout.hedged}: when few reads of a request are left, each of them that has taken longer
 * than a quantile of the latencies of its rank is sent again to the next replica; the first answer
 * counts. On nodes nothing is cancelled; the simulator may cancel the other copy.
 *
 * <p>Source: Dean and Barroso, The Tail at Scale (CACM 2013), hedged requests. Deviations: only the
 * stragglers of a request are hedged, its last few reads, or all remaining reads if all are late;
 * latency counts from the sending of the read, in classes that are octaves of the reads' rank (the
 * request's bottleneck, or the own cost), since under an order by bottleneck the rank, more than
 * the size, determines a read's latency; a copied read counts as longer than the quantile, since
 * its first copy's latency is unknown (so the delay of a class does not change while a larger part
 * of its reads is copied than lies beyond the quantile, which a {@code budget} above {@code 1 -
 * after} allows); copies have a budget that reads answered in time refill; a copy is not sent to a
 * node where it would not start before the read's elapsed time has passed again; it is ranked by
 * the remainder of its request. A node that has answered nothing for much longer than nodes do
 * ({@link Silence}) has stalled: its reads are late at once, but not before twice their forecasts,
 * their copies may wait elsewhere, and they have a further budget, since there are many of them at
 * once and they are never wasted while the stall lasts; a stalled node gets no copies. Memory is
 * fixed, a quarter of a megabyte.
 */
final class HedgedPlanner implements FanoutPlanner {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "fanout.hedged",
              "a late read is sent again; the first answer counts, copies have a budget")
          .source("The Tail at Scale (CACM 2013) hedged requests")
          .settings(
              Setting.share(
                  "after", 0.95, 0.01, 0.9999, "quantile of latency beyond which a read is late"),
              Rescue.SILENCE,
              Setting.duration(
                  "first-delay",
                  "10ms",
                  "1ns",
                  "1min",
                  "delay until a class has 100 reads, or twice the read's rank if that is longer"),
              Setting.share(
                  "stragglers",
                  0.05,
                  0,
                  1,
                  "part of a request's reads that may be hedged: the last ones"),
              Setting.share("budget", 0.05, 0, 1, "copies earned by each read answered in time"),
              Setting.whole("burst", 10, 1, 1_000_000, "most copies at once after a quiet time"),
              Setting.whole(
                  "rescues",
                  100,
                  0,
                  1_000_000,
                  "the same for reads at a node that stalls, with a budget of their own; each"
                      + " read answered in time adds 0.05 of a copy to it; 0: none"),
              Cancelling.CANCEL_HEDGED,
              Cancelling.ABORT_AFTER,
              Ranking.RANK,
              RankedPlanner.LONGEST_FIRST)
          .needs(Ability.LATE_COPIES)
          .make(
              s ->
                  new HedgedPlanner(
                      new Lateness(s.real("after"), s.number("first-delay"), s.real("stragglers")),
                      new CopyBudget(s.number("burst"), s.real("budget")),
                      Rescue.of(s, Rescue.EARNED),
                      Cancelling.of(s),
                      RankedPlanner.of(s)));

  private static final long TICK_NANOS = 100_000_000;
  private static final long FRESH_NANOS = 100_000_000;
  private static final long ENOUGH = 100;
  private static final long MANY = 10_000;
  private static final long UNKNOWN = -1;

  /**
   * Defines when a copy is due.
   *
   * @param quantile of a class's latencies, the delay of its copies, in (0, 1)
   * @param firstDelayNanos the delay of a class until it has a hundred reads
   * @param stragglers share of a request's reads that may be hedged while not all remaining reads
   *     are late; at least one read may
   */
  public record Lateness(double quantile, long firstDelayNanos, double stragglers) {}

  private final Lateness lateness;
  private final CopyBudget budget;
  private final Rescue rescue;
  private final Cancelling cancelling;
  private final RankedPlanner ranked;
  private final LatencyHistogram[] classes = new LatencyHistogram[Long.SIZE];
  private final AtomicLongArray delays = new AtomicLongArray(Long.SIZE);
  private volatile int servedAtOnce = 1;
  // Whether the copy allowed last was paid by the rescues.
  private volatile boolean rescued;

  /**
   * Creates a planner without measurements.
   *
   * @param lateness defines when a copy is due
   * @param budget limits the number of copies
   * @param rescue rescues reads from stalled nodes; null for no rescues
   * @param cancelling the extent of a cancellation
   * @param ranked ranks the reads
   */
  HedgedPlanner(
      Lateness lateness,
      CopyBudget budget,
      Rescue rescue,
      Cancelling cancelling,
      RankedPlanner ranked) {
    this.lateness = lateness;
    this.budget = budget;
    this.rescue = rescue;
    this.cancelling = cancelling;
    this.ranked = ranked;
    for (int i = 0; i < classes.length; i++) {
      classes[i] = new LatencyHistogram();
      delays.set(i, UNKNOWN);
    }
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    ranked.plan(request, selector, view);
    request.copies(Copies.HEDGED);
    int reads = request.reads();
    for (int read = 0; read < reads; read++) {
      if (request.replicaCount(read) > request.contacts(read)) {
        long rank = request.tagged() ? request.priority(read) : request.cost(read);
        request.copyAfter(read, Math.min(delayNanos(rank), rescueNanos(request, read, view)));
      }
    }
    if (rescue != null) {
      rescue.sending(request, view);
    }
  }

  private long rescueNanos(Request request, int read, ClusterView view) {
    return rescue == null
        ? Long.MAX_VALUE
        : rescue.afterNanos(request.costNanos(read), request.replica(read, 0), view);
  }

  @Override
  public void heard(int node, long nowNanos) {
    if (rescue != null) {
      rescue.heard(node, nowNanos);
    }
  }

  @Override
  public long onTimeForNanos(
      long rank, long costNanos, long elapsedNanos, int node, ClusterView view, long nowNanos) {
    long left = delayNanos(rank) - elapsedNanos;
    if (rescue == null || left <= 0) {
      return Math.max(0, left);
    }
    long silent = rescue.leftNanos(costNanos, elapsedNanos, node, view, nowNanos);
    return Math.max(0, Math.min(left, silent));
  }

  // One node may hold up many reads: when all remaining reads are late, no read that is on time
  // pays for their copies.
  @Override
  public boolean copiesNow(int reads, int left, int late) {
    return late == left || left <= Math.max(1, Math.ceil(lateness.stragglers() * reads));
  }

  @Override
  public boolean mayCopy(
      long costNanos, long elapsedNanos, int from, int to, ClusterView view, long nowNanos) {
    boolean stalled =
        rescue != null && rescue.isStalled(costNanos, elapsedNanos, from, view, nowNanos);
    if (rescue != null && rescue.isSilent(to, view, nowNanos)
        || !stalled && aheadNanos(to, view, nowNanos) + costNanos > elapsedNanos
        || !takes(stalled)) {
      return false;
    }
    if (rescue != null) {
      rescue.sending(to, view, nowNanos);
    }
    return true;
  }

  private boolean takes(boolean stalled) {
    boolean own = budget.take();
    rescued = !own && stalled && rescue.take();
    return own || rescued;
  }

  @Override
  public void copyNotSent() {
    if (rescued) {
      rescue.abandoned();
    } else {
      budget.abandoned();
    }
  }

  // All threads of a node serve its queue. A node that gets no more reads reports nothing new while
  // its queue drains; a node with reads does within a tenth of a second.
  private long aheadNanos(int node, ClusterView view, long nowNanos) {
    long age = view.ageNanos(FactColumn.WORK_AHEAD, node, nowNanos) - FRESH_NANOS;
    long wait = view.value(FactColumn.WORK_AHEAD, node) / servedAtOnce;
    return Math.max(0, wait - Math.max(0, age));
  }

  @Override
  public void servedAtOnce(int reads) {
    servedAtOnce = Math.max(1, reads);
  }

  @Override
  public long copyPriority(long priority, long cost, int left) {
    return Math.min(priority, cost > Long.MAX_VALUE / left ? Long.MAX_VALUE : cost * left);
  }

  @Override
  public void answered(long rank, long elapsedNanos, boolean copied) {
    int octave = octave(rank);
    if (copied) {
      classes[octave].addBeyond(1);
      return;
    }
    classes[octave].add(elapsedNanos, 1);
    if (elapsedNanos <= delayNanos(rank)) {
      budget.succeeded();
      if (rescue != null) {
        rescue.succeeded();
      }
    }
  }

  @Override
  public void tick(ClusterView view, long nowNanos) {
    if (rescue != null) {
      rescue.tick();
    }
    for (int i = 0; i < classes.length; i++) {
      long total = classes[i].total();
      if (total >= ENOUGH) {
        long delay = classes[i].quantile(lateness.quantile());
        if (delay < Request.NEVER) {
          delays.set(i, delay);
        }
        if (total >= MANY) {
          classes[i].divide(2);
        }
      }
    }
  }

  @Override
  public long tickIntervalNanos() {
    return TICK_NANOS;
  }

  @Override
  public Cancelling cancelling() {
    return cancelling;
  }

  /** The delay after sending at which a copy of a read of this rank is due. */
  long delayNanos(long rank) {
    long delay = delays.get(octave(rank));
    if (delay != UNKNOWN) {
      return delay;
    }
    // A read is not late before the work that its request waits for anyway can have been done.
    long first = lateness.firstDelayNanos();
    return unit() == Request.Unit.NANOS && rank < Long.MAX_VALUE / 2
        ? Math.max(first, 2 * rank)
        : first;
  }

  @Override
  public Request.Unit unit() {
    return ranked.unit();
  }

  private static int octave(long rank) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, rank));
  }
}
