/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.hold.Gate;
import dev.manx.policy.hold.RoutedOp;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import java.util.Arrays;
import java.util.BitSet;

/**
 * {@code select.c3-rate-control}: C3 with its rate control. A read goes to the best ranked replica
 * whose bucket has a token; while no bucket of the replica group has a token, its reads wait,
 * first-in first-out.
 *
 * <p>Replicas with a token left for the read, after subtracting those of the request's earlier
 * reads, are ranked before the others. On a node that ranking is final: a read's replicas are fixed
 * before it leaves, and a read that must wait waits for its first replica. The simulator's gate
 * chooses again when a read leaves.
 *
 * <p>Source: C3 (NSDI'15) sections 3.1 and 3.2, and its public simulator. As there, a cut reduces
 * the rate to {@code cut} times its value, while the growth curve is that of a cut by this factor.
 * Deviations: those of {@code select.c3}; a read that waited is ranked anew when it is sent; the
 * coordinator's own node is limited like any other. Not work-conserving.
 */
final class C3RateControlSelector implements Selector {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "select.c3-rate-control",
              "C3 with cubic send rates per node; reads wait while every replica is over its rate")
          .source("C3 (NSDI'15) sections 3.1 and 3.2")
          .settings(
              C3Selector.EWMA_WEIGHT,
              C3Selector.CLIENTS,
              Setting.duration("window", "20ms", "1us", "1s", "time over which reads are counted"),
              Setting.share("cut", 0.2, 0.001, 0.999, "factor by which a rate decreases"),
              Setting.number(
                  "growth", 4e-6, 1e-12, 1, "steepness of the rate's growth, per window and ms^3"),
              Setting.number("step", 10, 1e-6, 1e9, "largest increase at once, per window"),
              Setting.number(
                  "hysteresis", 2, 0, 1_000, "windows between an increase and a decrease"),
              Setting.number("first-rate", 5, 1e-6, 1e9, "first rate, in reads per window"),
              Setting.number("burst", 50, 1, 1e9, "most reads sent at once"),
              Setting.number("floor", 0.1, 1e-6, 1e9, "lowest rate, in reads per window"),
              Setting.whole("capacity", 65_536, 1, 1 << 24, "most reads held back"))
          .facts("pending-reads", "service-time")
          .needs(Ability.GATE)
          .make(
              s ->
                  new C3RateControlSelector(
                      new C3Selector(s.real("ewma-weight"), s.real("clients")),
                      s.number("window"),
                      s.real("cut"),
                      s.real("growth"),
                      s.real("step"),
                      s.real("hysteresis"),
                      s.real("first-rate"),
                      s.real("burst"),
                      s.real("floor"),
                      s.whole("capacity"),
                      s.clock()));

  private final C3Selector c3;
  private final CubicRate.Law law;
  private final int capacity;
  private final NanoClock clock;
  private final BitSet changed = new BitSet();
  private final OpenRates open;
  private CubicRate[] rates = new CubicRate[0];

  C3RateControlSelector(C3Selector c3, CubicRate.Law law, int capacity, NanoClock clock) {
    this.c3 = c3;
    this.law = law;
    this.capacity = capacity;
    this.clock = clock;
    open = new OpenRates(law);
  }

  /**
   * Creates a selector without measurements.
   *
   * @param c3 the ranking
   * @param windowNanos time over which reads are counted
   * @param cut factor of a decrease
   * @param growth steepness of the cubic curve, in reads per window and cubic millisecond
   * @param step largest increase at once, in reads per window
   * @param hysteresis windows between an increase and a decrease
   * @param firstRate the initial rate, in reads per window
   * @param burst most reads at once
   * @param floor lowest rate
   * @param capacity most reads held back
   */
  C3RateControlSelector(
      C3Selector c3,
      long windowNanos,
      double cut,
      double growth,
      double step,
      double hysteresis,
      double firstRate,
      double burst,
      double floor,
      int capacity,
      NanoClock clock) {
    this(
        c3,
        new CubicRate.Law(windowNanos, cut, growth, step, hysteresis, firstRate, burst, floor),
        capacity,
        clock);
  }

  @Override
  public void rank(Request request, int read, int from, int to, ClusterView view) {
    c3.rank(request, read, from, to, view);
    int[] replicas = request.replicas();
    int place = from;
    for (int i = from; to - from > 1 && i < to; i++) {
      int node = replicas[i];
      boolean may = open.isOpen(node, request.plannedReads(node), request.nowNanos());
      if (request.recalled(may ? 1 : 0) != 0) {
        // Stable among open nodes and among the others.
        request.toFront(place++, i);
      }
    }
  }

  @Override
  public void answered(int node, long costNanos, long responseNanos, ClusterView view) {
    c3.answered(node, costNanos, responseNanos, view);
    if (node >= 0 && node < view.capacity()) {
      synchronized (this) {
        long now = clock.nanoTime();
        rate(node, now).answered(now);
        open.publish(node, rates[node]);
        changed.set(node);
      }
    }
  }

  @Override
  public void timedOut(int node, long costNanos) {
    c3.timedOut(node, costNanos);
  }

  @Override
  public synchronized void forgotten(int node) {
    c3.forgotten(node);
    if (node >= 0 && node < rates.length) {
      rates[node] = null;
      open.forget(node);
      changed.set(node);
    }
  }

  @Override
  public boolean gated() {
    return true;
  }

  @Override
  public <T extends RoutedOp> Gate<T> newGate() {
    return new Gate<>(new RatePermits(this), capacity, false);
  }

  /**
   * When a node may be sent the next read; changes with spending and as {@link #nextChanged}
   * reports.
   */
  synchronized long opensAtNanos(int node) {
    return rate(node, clock.nanoTime()).opensAtNanos();
  }

  /**
   * The next node whose opening time may have changed since it was last returned here; -1 for none.
   */
  synchronized int nextChanged() {
    int node = changed.nextSetBit(0);
    if (node >= 0) {
      changed.clear(node);
    }
    return node;
  }

  synchronized void spend(int node, long nowNanos) {
    rate(node, nowNanos).sent(nowNanos);
    open.publish(node, rates[node]);
  }

  double score(int node, ClusterView view, long nowNanos) {
    return c3.score(view.outstandingReads(node), node, view, nowNanos);
  }

  private CubicRate rate(int node, long nowNanos) {
    if (node >= rates.length) {
      rates = Arrays.copyOf(rates, Math.max(node + 1, rates.length * 2));
    }
    if (rates[node] == null) {
      rates[node] = new CubicRate(law, nowNanos);
    }
    return rates[node];
  }
}
