/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.NanoClock;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import java.util.Arrays;

/**
 * The credits of one coordinator: a bucket per node that fills at the granted rate up to a depth,
 * and the coordinator's demand at each node since its last report. Any thread may call every
 * method.
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
  private Settlement[] settlements = new Settlement[0];
  private long grants;
  private boolean suspended;

  /**
   * Creates full buckets with an equal share of every node.
   *
   * @param intervalNanos time between grants
   * @param nodeCores seconds of work that a node can do per second
   * @param clients coordinators that share the nodes
   * @param depthNanos time whose grant a bucket holds at most
   * @param floorShare the least share of a coordinator, as part of an equal share
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
      boolean anew = suspended || rate[node] == UNBOUNDED;
      if (anew) {
        filledNanos[node] = nowNanos;
      } else {
        fill(node, nowNanos);
      }
      rate[node] = nanosPerSecond[node];
      double most = rate[node] * depthSeconds;
      tokens[node] = anew ? most : Math.min(tokens[node], most);
      reckon(node);
    }
    // Nodes beyond the array have no grant and need none.
    Arrays.fill(rate, nanosPerSecond.length, rate.length, UNBOUNDED);
    suspended = false;
    grants++;
  }

  @Override
  public synchronized void suspend() {
    if (!suspended) {
      suspended = true;
      // Waiting reads must be checked again.
      grants++;
    }
  }

  private boolean isOpen(int node) {
    return suspended || rate[node] == UNBOUNDED;
  }

  @Override
  public CreditController newController(int clients, int nodes) {
    return new CreditController(clients, nodes, nominalNanosPerSecond, floorShare);
  }

  @Override
  public CongestionMeter newMeter() {
    return new CongestionMeter(intervalNanos, nominalNanosPerSecond);
  }

  /** Adds a read's work at all its contacts to the demand, spread evenly over its replicas. */
  synchronized void want(Request request, int read) {
    int count = request.replicaCount(read);
    double contacts = request.contacts(read);
    for (int rank = 0; rank < count; rank++) {
      int node = request.replica(read, rank);
      room(node + 1);
      wanted[node] += settled(node, request.costNanos(read)) * contacts / count;
    }
  }

  /**
   * Chooses among replicas, after subtracting the work planned for this request from the credit; if
   * none has credit left, the one with the most. If a replica needs no credit, the work decides:
   * with unlimited credit it would get all reads.
   *
   * @param from the first replica's place in {@link Request#replicas()}
   * @param to the place after the last replica
   * @return the chosen replica's place
   */
  synchronized int preferred(
      CreditPreference prefer, Request request, int from, int to, ClusterView view) {
    long now = request.nowNanos();
    CreditPreference rule = areBounded(request, from, to) ? prefer : CreditPreference.LEAST_WORK;
    int best = from;
    long leastWork = 0;
    double mostCredit = Double.NEGATIVE_INFINITY;
    for (int place = from; place < to; place++) {
      int node = request.replicas()[place];
      long planned = request.plannedWorkNanos(node);
      long work = view.outstandingWorkNanos(node) + planned;
      double credit = available(node, now) - settled(node, planned);
      boolean better =
          credit > 0 && mostCredit > 0
              ? rule.isBetter(work, credit, leastWork, mostCredit)
              : credit > mostCredit;
      if (better) {
        best = place;
        leastWork = work;
        mostCredit = credit;
      }
    }
    return best;
  }

  private boolean areBounded(Request request, int from, int to) {
    boolean bounded = !suspended;
    for (int place = from; place < to && bounded; place++) {
      int node = request.replicas()[place];
      room(node + 1);
      bounded = !isOpen(node);
    }
    return bounded;
  }

  /** Credit at a node now, in nanoseconds of work; negative if overdrawn. */
  synchronized double available(int node, long nowNanos) {
    room(node + 1);
    if (isOpen(node)) {
      return Double.MAX_VALUE;
    }
    double earned = rate[node] * (nowNanos - filledNanos[node]) / 1e9;
    return Math.min(rate[node] * depthSeconds, tokens[node] + earned);
  }

  /** Takes credit; the last read may overdraw it. */
  synchronized void spend(int node, long costNanos, long nowNanos) {
    room(node + 1);
    if (!isOpen(node)) {
      fill(node, nowNanos);
      tokens[node] -= settled(node, costNanos);
      reckon(node);
    }
  }

  /** Records the service time of a read, by which later reads at that node are paid. */
  synchronized void served(int node, long costNanos, long serviceNanos) {
    room(node + 1);
    settlements[node].served(costNanos, serviceNanos);
  }

  /** The price of forecast work. */
  private double settled(int node, long costNanos) {
    room(node + 1);
    return costNanos * settlements[node].factor();
  }

  /**
   * When a node has (or had) credit again, or {@link Long#MAX_VALUE} if never at its present rate.
   * Only spending, grants and their suspension change it.
   */
  synchronized long opensAtNanos(int node) {
    room(node + 1);
    return isOpen(node) ? Long.MIN_VALUE : opensAtNanos[node];
  }

  /** Number of grants so far. */
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
    // One nanosecond more, so that credit is positive rather than zero.
    opensAtNanos[node] = wait < 1e18 ? filledNanos[node] + (long) wait + 1 : Long.MAX_VALUE;
  }

  private void room(int nodes) {
    int known = rate.length;
    if (nodes > known) {
      int length = Math.max(nodes, known * 2);
      double first = grants == 0 ? firstRate : UNBOUNDED;
      rate = Arrays.copyOf(rate, length);
      tokens = Arrays.copyOf(tokens, length);
      filledNanos = Arrays.copyOf(filledNanos, length);
      opensAtNanos = Arrays.copyOf(opensAtNanos, length);
      wanted = Arrays.copyOf(wanted, length);
      settlements = Arrays.copyOf(settlements, length);
      Arrays.fill(rate, known, length, first);
      Arrays.fill(tokens, known, length, first * depthSeconds);
      Arrays.fill(filledNanos, known, length, clock.nanoTime());
      for (int node = known; node < length; node++) {
        settlements[node] = new Settlement();
        reckon(node);
      }
    }
  }
}
