/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Copies;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;

/**
 * {@code fanout.speculative-retry}: stock Cassandra's speculative retry, as a baseline for the
 * simulator. One threshold for reads of all sizes; at most one more replica; no cancellation.
 *
 * <p>Source: Cassandra 5.0.9, {@code AbstractReadExecutor} and {@code *SpeculativeRetryPolicy}. The
 * threshold starts at half the read time-out and is recomputed once per read time-out; its
 * latencies decay with a half life of a minute. Deviations: one table; buckets of an eighth of
 * their value, a fifth in Cassandra; the copy is always a full read; each read counts with its own
 * latency, whereas Cassandra counts every partition of a group with the slowest one's, which raises
 * the threshold; a copy's delay counts from the sending of its read, in Cassandra from the start of
 * the request. With {@code paged} it also models {@code MultiPartitionPager}, which reads the
 * partitions of a paged multiget one after another; all are planned at once.
 */
final class SpeculativeRetryPlanner implements FanoutPlanner {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "fanout.speculative-retry",
              "stock Cassandra's speculative retry, one threshold for all sizes, no copy is"
                  + " cancelled")
          .source("Cassandra 5.0.9 SpeculativeRetryPolicy")
          .settings(
              Setting.text(
                  "threshold",
                  "99p",
                  SpeculativeThreshold.PATTERN,
                  SpeculativeThreshold.ALLOWED,
                  "latency after which a read is sent again"),
              Setting.duration(
                  "read-timeout",
                  "5s",
                  "1ms",
                  "1h",
                  "read time-out; the first threshold is half of it"),
              Ranking.RANK,
              RankedPlanner.LONGEST_FIRST,
              Setting.flag(
                  "paged",
                  false,
                  "whether reads of a multiget that the driver pages are sent one after another"))
          .needs(Ability.COPIES)
          .make(
              s ->
                  new SpeculativeRetryPlanner(
                      SpeculativeThreshold.parse(s.word("threshold")),
                      s.number("read-timeout"),
                      RankedPlanner.of(s),
                      s.flag("paged"),
                      s.clock()));

  private static final double HALF_LIFE_NANOS = 60e9;
  private static final long UNIT_WEIGHT = 1_024;
  private static final int MOST_DOUBLINGS = 20;

  private final SpeculativeThreshold threshold;
  private final long timeoutNanos;
  private final RankedPlanner ranked;
  private final boolean paged;
  private final NanoClock clock;
  private final LatencyHistogram latencies = new LatencyHistogram();
  private volatile long landmarkNanos;
  private volatile long afterNanos;
  private long computedNanos;

  /**
   * Creates a planner without measurements.
   *
   * @param threshold defines when a read is retried
   * @param timeoutNanos time-out of a read
   * @param ranked ranks the reads
   * @param paged whether reads that the driver pages are sent one after another
   */
  SpeculativeRetryPlanner(
      SpeculativeThreshold threshold,
      long timeoutNanos,
      RankedPlanner ranked,
      boolean paged,
      NanoClock clock) {
    this.threshold = threshold;
    this.timeoutNanos = timeoutNanos;
    this.ranked = ranked;
    this.paged = paged;
    this.clock = clock;
    this.landmarkNanos = clock.nanoTime();
    this.computedNanos = landmarkNanos;
    this.afterNanos = threshold.learns() ? timeoutNanos / 2 : threshold.nanos(0);
  }

  @Override
  public void plan(Request request, Selector selector, ClusterView view) {
    ranked.plan(request, selector, view);
    long after = afterNanos;
    if (after <= timeoutNanos) {
      request.copies(Copies.SPECULATIVE);
      Plans.copyAfter(request, after);
    }
  }

  @Override
  public void answered(long rank, long elapsedNanos, boolean copied) {
    if (threshold.learns()) {
      double halfLives = (clock.nanoTime() - landmarkNanos) / HALF_LIFE_NANOS;
      double doublings = Math.min(MOST_DOUBLINGS, Math.max(0, halfLives));
      latencies.add(elapsedNanos, Math.round(UNIT_WEIGHT * Math.exp(doublings * Math.log(2))));
    }
  }

  @Override
  public void tick(ClusterView view, long nowNanos) {
    if (!threshold.learns() || nowNanos - computedNanos < timeoutNanos) {
      return;
    }
    computedNanos = nowNanos;
    long quantile = latencies.quantile(threshold.quantile());
    if (quantile < Request.NEVER) {
      afterNanos = threshold.nanos(quantile);
    }
    int halfLives = (int) ((nowNanos - landmarkNanos) / HALF_LIFE_NANOS);
    if (halfLives >= 1) {
      landmarkNanos += (long) (halfLives * HALF_LIFE_NANOS);
      latencies.divide(1L << Math.min(halfLives, MOST_DOUBLINGS));
    }
  }

  @Override
  public boolean paged() {
    return paged;
  }

  /** The delay after which a read is retried. */
  long afterNanos() {
    return afterNanos;
  }

  @Override
  public Request.Unit unit() {
    return ranked.unit();
  }
}
