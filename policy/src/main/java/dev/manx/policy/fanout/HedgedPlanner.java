/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.select.Selector;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code fanout.hedged}: a read without an answer after a quantile of what reads of its cost take
 * is sent once more, to the next replica; the first answer counts, the other copy is cancelled.
 *
 * <p>Source: Dean and Barroso, The Tail at Scale (CACM 2013), hedged requests. Deviations: classes
 * are octaves of forecast cost; a read that was copied counts as longer than the quantile, since
 * its first copy's own latency is never seen; copies have a budget, a share of all reads, and none
 * goes to a node whose reported work ahead exceeds the delay. Memory is fixed, a quarter of a
 * megabyte.
 */
public final class HedgedPlanner implements FanoutPlanner {
  private static final long TICK_NANOS = 100_000_000;
  private static final long ENOUGH = 100;
  private static final long MANY = 10_000;
  private static final long TOKEN = 1_000_000;

  private final double quantile;
  private final Ranking ranking;
  private final boolean longestFirst;
  private final long perRead;
  private final long burst;
  private final AtomicLong tokens;
  private final LatencyHistogram[] classes = new LatencyHistogram[Long.SIZE];
  private final AtomicLongArray delays = new AtomicLongArray(Long.SIZE);

  /**
   * A planner that has seen no read.
   *
   * @param quantile of a class's latencies, the delay of its copies, in (0, 1)
   * @param firstDelayNanos the delay of a class until it has a hundred reads
   * @param budget most copies as a share of reads
   * @param burst copies that may go at once after a quiet time
   * @param ranking the priorities
   * @param longestFirst whether the costliest read is ranked, sent and served first
   */
  public HedgedPlanner(
      double quantile,
      long firstDelayNanos,
      double budget,
      long burst,
      Ranking ranking,
      boolean longestFirst) {
    this.quantile = quantile;
    this.ranking = ranking;
    this.longestFirst = longestFirst;
    this.perRead = Math.round(budget * TOKEN);
    this.burst = burst * TOKEN;
    this.tokens = new AtomicLong(this.burst);
    for (int i = 0; i < classes.length; i++) {
      classes[i] = new LatencyHistogram();
      delays.set(i, firstDelayNanos);
    }
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    ranking.plan(request, longestFirst, selector, view);
    request.copies(Copies.HEDGED);
    int reads = request.reads();
    for (int read = 0; read < reads; read++) {
      if (request.replicaCount(read) > request.contacts(read)) {
        request.copyAfter(read, delayNanos(request.costNanos(read)));
      }
    }
    long had = tokens.get();
    while (!tokens.weakCompareAndSetVolatile(had, Math.min(burst, had + reads * perRead))) {
      had = tokens.get();
    }
  }

  @Override
  public boolean mayCopy(long costNanos, int node, ClusterView view, long nowNanos) {
    if (view.value(FactColumn.WORK_AHEAD, node) > delayNanos(costNanos)) {
      return false;
    }
    long had = tokens.get();
    while (had >= TOKEN) {
      if (tokens.compareAndSet(had, had - TOKEN)) {
        return true;
      }
      had = tokens.get();
    }
    return false;
  }

  @Override
  public void answered(long costNanos, long elapsedNanos, boolean copied) {
    LatencyHistogram latencies = classes[octave(costNanos)];
    if (copied) {
      latencies.addBeyond(1);
    } else {
      latencies.add(elapsedNanos, 1);
    }
  }

  @Override
  public void tick(ClusterView view, long nowNanos) {
    for (int i = 0; i < classes.length; i++) {
      long total = classes[i].total();
      if (total >= ENOUGH) {
        long delay = classes[i].quantile(quantile);
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

  /** When a copy of a read of this cost is due. */
  long delayNanos(long costNanos) {
    return delays.get(octave(costNanos));
  }

  @Override
  public Request.Unit unit() {
    return ranking.unit();
  }

  private static int octave(long costNanos) {
    return Long.SIZE - 1 - Long.numberOfLeadingZeros(Math.max(1, costNanos));
  }
}
