/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Ewma;
import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.spi.PolicyInfo;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * {@code select.snitch-14459}: the dynamic snitch without its two weaknesses. Latencies are
 * smoothed exponentially, so that reads avoid a node as soon as it begins to time out; and samples
 * are never dropped, so that no reset sends a burst to a slow node. A node without an answer for
 * {@code stale} gets a single read, at most one per {@code probe-every} over all nodes.
 *
 * <p>Source: the rule proposed in CASSANDRA-14459 (apache/cassandra pull request 283, never
 * merged). Deviations: probes are ordinary reads rather than separate messages; scores are the
 * smoothed latencies; ranks inside one datacenter. The weight and the age are ours.
 */
final class Snitch14459Selector extends SnitchRanking {
  static final PolicyInfo POLICY =
      PolicyInfo.named(
              "select.snitch-14459",
              "the dynamic snitch with smoothed latencies, without resets, with probes of"
                  + " silent nodes")
          .source("CASSANDRA-14459, apache/cassandra pull request 283")
          .settings(
              BADNESS,
              Setting.duration(
                  "stale", "10s", "1ms", "1h", "a node that was not read for this long is probed"),
              Setting.duration(
                  "probe-every", "1s", "1ms", "1h", "time between two probes of a coordinator"),
              TIMEOUT)
          .make(
              s ->
                  new Snitch14459Selector(
                      s.real("badness"),
                      s.number("stale"),
                      s.number("probe-every"),
                      s.number("timeout"),
                      s.clock()));

  private static final double WEIGHT = 0.1;
  private static final long NEVER = Long.MIN_VALUE;

  private final long staleNanos;
  private final long probeEveryNanos;
  private final long timeoutNanos;
  private final long startNanos;
  private final AtomicLong probedAt = new AtomicLong(NEVER);
  private volatile Nodes nodes;

  /**
   * Smoothed latencies, 0 before the first, and when the last read was sent, at first the start.
   */
  private static final class Nodes {
    final AtomicLongArray latencies;
    final AtomicLongArray askedAt;

    Nodes(int capacity, long startNanos) {
      latencies = new AtomicLongArray(capacity);
      askedAt = new AtomicLongArray(capacity);
      for (int node = 0; node < capacity; node++) {
        askedAt.set(node, startNanos);
      }
    }

    boolean has(int node) {
      return node >= 0 && node < latencies.length();
    }
  }

  /**
   * Creates a selector without measurements.
   *
   * @param badness how much worse a replica may be before the stock order is replaced; 0 for always
   * @param staleNanos a node without reads for this long is probed
   * @param probeEveryNanos least time between two probes
   * @param timeoutNanos the latency that a timed-out read counts as
   * @param clock of the requests
   */
  Snitch14459Selector(
      double badness, long staleNanos, long probeEveryNanos, long timeoutNanos, NanoClock clock) {
    super(badness);
    this.staleNanos = staleNanos;
    this.probeEveryNanos = probeEveryNanos;
    this.timeoutNanos = timeoutNanos;
    startNanos = clock.nanoTime();
    nodes = new Nodes(0, startNanos);
  }

  @Override
  double score(int node) {
    Nodes known = nodes;
    return known.has(node) ? Double.longBitsToDouble(known.latencies.get(node)) : 0;
  }

  @Override
  void ranked(Request request, int from, int to, ClusterView view) {
    Nodes known = grown(view.capacity());
    int[] replicas = request.replicas();
    long now = request.nowNanos();
    int probe = from;
    for (int i = from + 1; i < to; i++) {
      int node = replicas[i];
      if (known.has(node) && now - known.askedAt.get(node) >= staleNanos && mayProbe(now)) {
        probe = i;
        break;
      }
    }
    int chosen = from + (int) request.recalled(probe - from);
    request.toFront(from, Math.min(chosen, to - 1));
    if (known.has(replicas[from])) {
      known.askedAt.set(replicas[from], now);
    }
  }

  private boolean mayProbe(long nowNanos) {
    long last = probedAt.get();
    return (last == NEVER || nowNanos - last >= probeEveryNanos)
        && probedAt.compareAndSet(last, nowNanos);
  }

  @Override
  public void answered(int node, long costNanos, long responseNanos, ClusterView view) {
    learn(grown(view.capacity()), node, responseNanos);
  }

  @Override
  public void timedOut(int node, long costNanos) {
    learn(nodes, node, timeoutNanos);
  }

  @Override
  public void forgotten(int node) {
    Nodes known = nodes;
    if (known.has(node)) {
      known.latencies.set(node, 0);
    }
  }

  private static void learn(Nodes known, int node, long nanos) {
    // The first answer becomes the mean, since a mean that begins at 0 would look fast.
    if (known.has(node)
        && !known.latencies.compareAndSet(node, 0, Double.doubleToRawLongBits(nanos))) {
      Ewma.add(known.latencies, node, WEIGHT, nanos);
    }
  }

  private Nodes grown(int capacity) {
    Nodes known = nodes;
    return known.latencies.length() >= capacity ? known : grow(capacity);
  }

  private synchronized Nodes grow(int capacity) {
    if (nodes.latencies.length() < capacity) {
      nodes = new Nodes(capacity, startNanos);
    }
    return nodes;
  }
}
