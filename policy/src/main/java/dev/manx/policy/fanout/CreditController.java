/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import java.util.Arrays;

/**
 * Shares each node's capacity among the coordinators in proportion to their demand, and reduces the
 * capacity of nodes that signal congestion.
 *
 * <p>The environment delivers demands and congestion signals as they arrive, calls {@link #adapt}
 * once an interval and sends the credits to the coordinators. Sequential; memory is coordinators
 * times nodes.
 *
 * <p>Source: BRB section 2.2. The adaptation law is ours, since the paper gives none: a congested
 * node's capacity falls to nine tenths, at least half the nominal value; after three intervals
 * without a signal it grows by a fiftieth, at most to the nominal value. Each coordinator always
 * gets a floor, so that it can start again after an interval without demand.
 */
public final class CreditController {
  private static final double CUT = 0.9;
  private static final double GROWTH = 1.02;
  private static final double LEAST = 0.5;
  private static final int CLEAR_INTERVALS = 3;

  private final int clients;
  private final double floorShare;
  private final double[] nominal;
  private final double[] capacity;
  private final int[] clear;
  private final boolean[] congested;
  private final long[][] demand;
  private final double[][] credit;

  /**
   * Creates a controller that gives all coordinators equal shares.
   *
   * @param nominalNanosPerSecond work that each node can do per second
   * @param floorShare the least share of a coordinator, as part of an equal share, in [0, 1]
   */
  public CreditController(int clients, int nodes, double nominalNanosPerSecond, double floorShare) {
    this.clients = clients;
    this.floorShare = floorShare;
    nominal = new double[nodes];
    Arrays.fill(nominal, nominalNanosPerSecond);
    capacity = nominal.clone();
    clear = new int[nodes];
    congested = new boolean[nodes];
    demand = new long[clients][nodes];
    credit = new double[clients][nodes];
    for (double[] row : credit) {
      Arrays.fill(row, nominalNanosPerSecond / clients);
    }
  }

  /** Sets the work that a node can do per second; its capacity keeps its proportion to that. */
  public void nominal(int node, double nanosPerSecond) {
    capacity[node] *= nanosPerSecond / nominal[node];
    nominal[node] = nanosPerSecond;
  }

  /**
   * Copies the state of a node from another controller, which may have other coordinators or nodes.
   */
  public void inherit(int node, CreditController other, int otherNode) {
    nominal[node] = other.nominal[otherNode];
    capacity[node] = other.capacity[otherNode];
    clear[node] = other.clear[otherNode];
  }

  /** Records a coordinator's demand at each node, in nanoseconds of work. */
  public void demand(int client, long[] workNanos) {
    for (int node = 0; node < capacity.length; node++) {
      demand[client][node] += Math.max(0, workNanos[node]);
    }
  }

  /** Records a node's congestion signal. */
  public void congested(int node) {
    congested[node] = true;
  }

  /** Ends an interval: computes capacities and credits anew and forgets the demands. */
  public void adapt() {
    for (int node = 0; node < capacity.length; node++) {
      adaptCapacity(node);
      share(node);
    }
  }

  /** Writes a coordinator's credit at each node, in nanoseconds of work per second. */
  public void credits(int client, double[] into) {
    System.arraycopy(credit[client], 0, into, 0, capacity.length);
  }

  /** The present capacity of a node, in nanoseconds of work per second. */
  public double capacity(int node) {
    return capacity[node];
  }

  private void adaptCapacity(int node) {
    if (congested[node]) {
      capacity[node] = Math.max(LEAST * nominal[node], CUT * capacity[node]);
      clear[node] = 0;
    } else if (++clear[node] >= CLEAR_INTERVALS) {
      capacity[node] = Math.min(nominal[node], GROWTH * capacity[node]);
    }
    congested[node] = false;
  }

  private void share(int node) {
    double floor = floorShare * nominal[node] / clients;
    double sum = 0;
    for (int client = 0; client < clients; client++) {
      sum += demand[client][node];
    }
    for (int client = 0; client < clients; client++) {
      double share = sum == 0 ? 1.0 / clients : demand[client][node] / sum;
      credit[client][node] = Math.max(floor, capacity[node] * share);
      demand[client][node] = 0;
    }
  }
}
