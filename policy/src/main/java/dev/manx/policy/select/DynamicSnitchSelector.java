/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.NanoClock;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * {@code select.dynamic-snitch}: stock Cassandra's dynamic snitching. The stock order is kept
 * unless a replica in it scores worse, by {@code badness}, than the replica at the same position in
 * the order by score; then the order by score applies, with equal scores in stock order.
 *
 * <p>A node's score is the weighted median of its latencies, in units of {@code rounding}, divided
 * by the largest such median of all nodes; recomputed each {@code update-interval}, dropped each
 * {@code reset-interval}. A node without samples scores 0, which is best.
 *
 * <p>Source: Cassandra 5.0.9, {@code DynamicEndpointSnitch}. Its latencies are whole milliseconds:
 * with {@code rounding: 1ms} medians below 1 ms make every score 0 and keep the stock order.
 * Deviations: no severity; ranks inside one datacenter; on a node that runs the dynamic snitch, the
 * stock order already is the snitch's.
 */
final class DynamicSnitchSelector extends SnitchRanking {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "select.dynamic-snitch",
              "stock Cassandra's dynamic snitch: decaying median latency with a tolerance")
          .source("Cassandra 5.0.9 DynamicEndpointSnitch")
          .settings(
              Setting.word("rounding", "latencies are rounded down to this", "1ms", "1us", "none"),
              BADNESS,
              Setting.duration(
                  "update-interval",
                  "100ms",
                  "1ms",
                  "1h",
                  "time between two computations of the scores"),
              Setting.duration(
                  "reset-interval",
                  "10min",
                  "1ms",
                  "10h",
                  "all samples are dropped after each interval"),
              TIMEOUT)
          .make(
              s ->
                  new DynamicSnitchSelector(
                      C3Selector.rounding(s.word("rounding")),
                      s.real("badness"),
                      s.number("update-interval"),
                      s.number("reset-interval"),
                      s.number("timeout"),
                      s.clock(),
                      s.random()));

  private final long roundingNanos;
  private final long updateNanos;
  private final long resetNanos;
  private final long timeoutNanos;
  private final NanoClock clock;
  private final SplitMix random;
  private final long startNanos;
  private volatile AtomicReferenceArray<DecayingReservoir> reservoirs =
      new AtomicReferenceArray<>(0);
  private volatile double[] scores = new double[0];
  private long updatedNanos;
  private long resetAtNanos;

  /**
   * Creates a selector without measurements.
   *
   * @param roundingNanos latencies are floored to multiples of this; 1 for none
   * @param badness how much worse a replica may be before the stock order is replaced; 0 for always
   * @param timeoutNanos the latency that a timed-out read counts as
   */
  DynamicSnitchSelector(
      long roundingNanos,
      double badness,
      long updateNanos,
      long resetNanos,
      long timeoutNanos,
      NanoClock clock,
      SplitMix random) {
    super(badness);
    this.roundingNanos = roundingNanos;
    this.updateNanos = updateNanos;
    this.resetNanos = resetNanos;
    this.timeoutNanos = timeoutNanos;
    this.clock = clock;
    this.random = random;
    startNanos = clock.nanoTime();
    updatedNanos = startNanos;
    resetAtNanos = startNanos;
  }

  @Override
  public void answered(int node, long costNanos, long responseNanos, ClusterView view) {
    if (node >= 0 && node < view.capacity()) {
      sample(node, responseNanos, view.capacity());
    }
  }

  @Override
  public void timedOut(int node, long costNanos) {
    if (node >= 0 && node < reservoirs.length()) {
      sample(node, timeoutNanos, reservoirs.length());
    }
  }

  @Override
  public void forgotten(int node) {
    AtomicReferenceArray<DecayingReservoir> known = reservoirs;
    if (node >= 0 && node < known.length() && known.get(node) != null) {
      known.get(node).clear();
    }
  }

  @Override
  public void tick(ClusterView view, long nowNanos) {
    if (nowNanos - resetAtNanos >= resetNanos) {
      resetAtNanos = nowNanos;
      for (int node = 0; node < reservoirs.length(); node++) {
        forgotten(node);
      }
    }
    if (nowNanos - updatedNanos >= updateNanos) {
      updatedNanos = nowNanos;
      scores = newScores();
    }
  }

  @Override
  public long tickIntervalNanos() {
    return updateNanos;
  }

  @Override
  double score(int node) {
    double[] known = scores;
    return node < known.length ? known[node] : 0;
  }

  private double[] newScores() {
    AtomicReferenceArray<DecayingReservoir> known = reservoirs;
    double[] medians = new double[known.length()];
    double most = 1;
    for (int node = 0; node < medians.length; node++) {
      DecayingReservoir reservoir = known.get(node);
      medians[node] = reservoir == null ? 0 : reservoir.median();
      most = Math.max(most, medians[node]);
    }
    for (int node = 0; node < medians.length; node++) {
      medians[node] /= most;
    }
    return medians;
  }

  private void sample(int node, long nanos, int capacity) {
    AtomicReferenceArray<DecayingReservoir> known = reservoirs;
    DecayingReservoir reservoir = node < known.length() ? known.get(node) : null;
    if (reservoir == null) {
      reservoir = enter(node, capacity);
    }
    reservoir.add(nanos / roundingNanos, (clock.nanoTime() - startNanos) / 1_000_000_000L);
  }

  private synchronized DecayingReservoir enter(int node, int capacity) {
    AtomicReferenceArray<DecayingReservoir> known = reservoirs;
    if (known.length() < capacity) {
      AtomicReferenceArray<DecayingReservoir> wider = new AtomicReferenceArray<>(capacity);
      for (int i = 0; i < known.length(); i++) {
        wider.set(i, known.get(i));
      }
      reservoirs = wider;
      known = wider;
    }
    if (known.get(node) == null) {
      known.set(node, new DecayingReservoir(new SplitMix(random.nextLong())));
    }
    return known.get(node);
  }
}
