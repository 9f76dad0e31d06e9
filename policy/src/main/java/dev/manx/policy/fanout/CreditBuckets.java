/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import java.util.Arrays;

/**
 * The credits of one coordinator: a bucket per node that fills at the granted rate up to a depth,
 * and what it wanted of each node since it last reported. Threads: every method may be called by
 * any thread.
 */
final class CreditBuckets implements Credits {
  private final NanoClock clock;
  private final long intervalNanos;
  private final double nominalNanosPerSecond;
  private final double depthSeconds;
  private final double floorShare;
  private final double firstRate;
  private double[] rate = new double[0];
  private double[] tokens = new double[0];
  private long[] filledNanos = new long[0];
  private long[] opensAtNanos = new long[0];
  private double[] wanted = new double[0];
  private long grants;

  /**
   * Full buckets with an equal share of every node.
   *
   * @param intervalNanos between grants
   * @param nodeCores work that a node can do in a second, in seconds
   * @param clients coordinators that share the nodes
   * @param depthNanos a bucket holds at most what its rate grants in this time
   * @param floorShare of an equal share, what a coordinator gets at least
   */
  CreditBuckets(
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
      reckon(node);
    }
    grants++;
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

  /**
   * The replica of a read to prefer, the work planned for this request taken off the credit; if
   * none has credit left, the one with the most.
   */
  synchronized int preferred(CreditPreference prefer, Request request, int read, ClusterView view) {
    long now = request.nowNanos();
    int best = request.replica(read, 0);
    long leastWork = 0;
    double mostCredit = Double.NEGATIVE_INFINITY;
    for (int rank = 0, n = request.replicaCount(read); rank < n; rank++) {
      int node = request.replica(read, rank);
      long planned = request.plannedWorkNanos(node);
      long work = view.outstandingWorkNanos(node) + planned;
      double credit = available(node, now) - planned;
      boolean better =
          credit > 0 && mostCredit > 0
              ? prefer.isBetter(work, credit, leastWork, mostCredit)
              : credit > mostCredit;
      if (better) {
        best = node;
        leastWork = work;
        mostCredit = credit;
      }
    }
    return best;
  }

  /** Credit at a node now, in nanoseconds of work; negative if overdrawn. */
  synchronized double available(int node, long nowNanos) {
    room(node + 1);
    double earned = rate[node] * (nowNanos - filledNanos[node]) / 1e9;
    return Math.min(rate[node] * depthSeconds, tokens[node] + earned);
  }

  /** Takes credit; the last read may overdraw it. */
  synchronized void spend(int node, long costNanos, long nowNanos) {
    room(node + 1);
    fill(node, nowNanos);
    tokens[node] -= costNanos;
    reckon(node);
  }

  /**
   * When a node has or had credit again, or {@link Long#MAX_VALUE} if not at its present rate. Only
   * spending and grants change it.
   */
  synchronized long opensAtNanos(int node) {
    room(node + 1);
    return opensAtNanos[node];
  }

  /** How often credit was granted. */
  synchronized long grants() {
    return grants;
  }

  private void fill(int node, long nowNanos) {
    tokens[node] = available(node, nowNanos);
    filledNanos[node] = nowNanos;
  }

  private void reckon(int node) {
    if (tokens[node] > 0) {
      opensAtNanos[node] = filledNanos[node];
      return;
    }
    double wait = -tokens[node] / rate[node] * 1e9;
    // A nanosecond more, for there is to be some credit and not none.
    opensAtNanos[node] = wait < 1e18 ? filledNanos[node] + (long) wait + 1 : Long.MAX_VALUE;
  }

  private void room(int nodes) {
    int known = rate.length;
    if (nodes > known) {
      int length = Math.max(nodes, known * 2);
      rate = Arrays.copyOf(rate, length);
      tokens = Arrays.copyOf(tokens, length);
      filledNanos = Arrays.copyOf(filledNanos, length);
      opensAtNanos = Arrays.copyOf(opensAtNanos, length);
      wanted = Arrays.copyOf(wanted, length);
      Arrays.fill(rate, known, length, firstRate);
      Arrays.fill(tokens, known, length, firstRate * depthSeconds);
      Arrays.fill(filledNanos, known, length, clock.nanoTime());
      for (int node = known; node < length; node++) {
        reckon(node);
      }
    }
  }
}
