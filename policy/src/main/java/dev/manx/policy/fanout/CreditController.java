/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import java.util.Arrays;

/**
 * Shares each node's capacity among the coordinators in proportion to what they asked for, and
 * takes capacity back from nodes that signal congestion.
 *
 * <p>The environment brings demands and congestion signals as they arrive, calls {@link #adapt}
 * once an interval and carries the credits to the coordinators. Sequential; memory is coordinators
 * times nodes.
 *
 * <p>Source: BRB section 2.2. The adaptation law is ours, the paper gives none: a congested node's
 * capacity falls to nine tenths, at least half the nominal; after three intervals without a signal
 * it grows by a fiftieth, at most to the nominal. A coordinator always gets a floor, so that one
 * that was silent for an interval can start again.
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
   * All coordinators start with equal shares.
   *
   * @param nominalNanosPerSecond work that each node can do in a second
   * @param floorShare of an equal share, what a coordinator gets at least, in [0, 1]
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

  /** A node can do this much work in a second; its capacity keeps its part of it. */
  public void nominal(int node, double nanosPerSecond) {
    capacity[node] *= nanosPerSecond / nominal[node];
    nominal[node] = nanosPerSecond;
  }

  /** Takes over what another controller, of other coordinators or nodes, knows of a node. */
  public void inherit(int node, CreditController other, int otherNode) {
    nominal[node] = other.nominal[otherNode];
    capacity[node] = other.capacity[otherNode];
    clear[node] = other.clear[otherNode];
  }

  /** A coordinator reported the work that it wants of each node, in nanoseconds. */
  public void demand(int client, long[] workNanos) {
    for (int node = 0; node < capacity.length; node++) {
      demand[client][node] += Math.max(0, workNanos[node]);
    }
  }

  /** A node signalled congestion. */
  public void congested(int node) {
    congested[node] = true;
  }

  /** Ends an interval: new capacities, new credits, demands forgotten. */
  public void adapt() {
    for (int node = 0; node < capacity.length; node++) {
      adaptCapacity(node);
      share(node);
    }
  }

  /** Writes down a coordinator's credit at each node, work in nanoseconds per second. */
  public void credits(int client, double[] into) {
    System.arraycopy(credit[client], 0, into, 0, capacity.length);
  }

  /** The present capacity of a node, work in nanoseconds per second. */
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
