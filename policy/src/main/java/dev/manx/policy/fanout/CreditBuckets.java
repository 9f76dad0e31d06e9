/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import java.util.Arrays;

/**
 * The credits of one coordinator: a bucket per node that fills at the granted rate up to a depth,
 * and what it wanted of each node since it last reported. Threads: every method may be called by
 * any thread.
 */
public final class CreditBuckets implements Credits {
  private final NanoClock clock;
  private final long intervalNanos;
  private final double nominalNanosPerSecond;
  private final double depthSeconds;
  private final double floorShare;
  private final double firstRate;
  private double[] rate = new double[0];
  private double[] tokens = new double[0];
  private long[] filledNanos = new long[0];
  private double[] wanted = new double[0];

  /**
   * Full buckets with an equal share of every node.
   *
   * @param intervalNanos between grants
   * @param nodeCores work that a node can do in a second, in seconds
   * @param clients coordinators that share the nodes
   * @param depthNanos a bucket holds at most what its rate grants in this time
   * @param floorShare of an equal share, what a coordinator gets at least
   */
  public CreditBuckets(
      NanoClock clock,
      long intervalNanos,
      double nodeCores,
      double clients,
      long depthNanos,
      double floorShare) {
    this.clock = clock;
    this.intervalNanos = intervalNanos;
    this.nominalNanosPerSecond = nodeCores * 1e9;
    this.depthSeconds = depthNanos / 1e9;
    this.floorShare = floorShare;
    this.firstRate = nominalNanosPerSecond / clients;
  }

  @Override
  public long intervalNanos() {
    return intervalNanos;
  }

  @Override
  public synchronized void takeDemand(long[] into) {
    room(into.length);
    for (int node = 0; node < into.length; node++) {
      into[node] = Math.round(wanted[node]);
      wanted[node] = 0;
    }
  }

  @Override
  public synchronized void grant(double[] nanosPerSecond, long nowNanos) {
    room(nanosPerSecond.length);
    for (int node = 0; node < nanosPerSecond.length; node++) {
      fill(node, nowNanos);
      rate[node] = nanosPerSecond[node];
      tokens[node] = Math.min(tokens[node], rate[node] * depthSeconds);
    }
  }

  @Override
  public CreditController newController(int clients, int nodes) {
    return new CreditController(clients, nodes, nominalNanosPerSecond, floorShare);
  }

  @Override
  public CongestionMeter newMeter() {
    return new CongestionMeter(intervalNanos, nominalNanosPerSecond);
  }

  /** Notes that a read wants work done, evenly by its replicas. */
  synchronized void want(Request request, int read) {
    int count = request.replicaCount(read);
    for (int rank = 0; rank < count; rank++) {
      int node = request.replica(read, rank);
      room(node + 1);
      wanted[node] += (double) request.costNanos(read) / count;
    }
  }

  /** The replica of a read with the most credit, the work planned for this request taken off. */
  synchronized int richest(Request request, int read) {
    long now = request.nowNanos();
    int best = request.replica(read, 0);
    double most = Double.NEGATIVE_INFINITY;
    for (int rank = 0, n = request.replicaCount(read); rank < n; rank++) {
      int node = request.replica(read, rank);
      double left = available(node, now) - request.plannedWorkNanos(node);
      if (left > most) {
        most = left;
        best = node;
      }
    }
    return best;
  }

  /** Credit at a node now, in nanoseconds of work; negative if overdrawn. */
  synchronized double available(int node, long nowNanos) {
    room(node + 1);
    fill(node, nowNanos);
    return tokens[node];
  }

  synchronized void spend(int node, long costNanos) {
    tokens[node] -= costNanos;
  }

  /** When a node will have credit; {@link Long#MAX_VALUE} if not at its present rate. */
  synchronized long creditAtNanos(int node, long nowNanos) {
    double missing = -available(node, nowNanos);
    if (missing < 0) {
      return nowNanos;
    }
    double wait = missing / rate[node] * 1e9;
    // At least a nanosecond more, so that rounding never asks again in vain.
    return wait < 1e18 ? nowNanos + (long) wait + 1 : Long.MAX_VALUE;
  }

  private void fill(int node, long nowNanos) {
    double earned = rate[node] * (nowNanos - filledNanos[node]) / 1e9;
    tokens[node] = Math.min(rate[node] * depthSeconds, tokens[node] + earned);
    filledNanos[node] = nowNanos;
  }

  private void room(int nodes) {
    int known = rate.length;
    if (nodes > known) {
      int length = Math.max(nodes, known * 2);
      rate = Arrays.copyOf(rate, length);
      tokens = Arrays.copyOf(tokens, length);
      filledNanos = Arrays.copyOf(filledNanos, length);
      wanted = Arrays.copyOf(wanted, length);
      Arrays.fill(rate, known, length, firstRate);
      Arrays.fill(tokens, known, length, firstRate * depthSeconds);
      Arrays.fill(filledNanos, known, length, clock.nanoTime());
    }
  }
}
