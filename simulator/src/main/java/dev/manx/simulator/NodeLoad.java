/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.Slowness;

/**
 * A node's load, as {@code LocalLoad} keeps it on a real node, in plain fields. Confined to one
 * thread.
 */
final class NodeLoad {
  private static final FactColumn[] COLUMNS = FactColumn.values();

  private final double weight;
  private long pending;
  private long workAheadNanos;
  private long completed;
  private double service = Double.NaN;
  private double serviceSmall = Double.NaN;
  private double serviceLarge = Double.NaN;
  private Slowness slowness = new Slowness();

  /**
   * An idle node.
   *
   * @param weight of the newest service time, in (0, 1]
   */
  NodeLoad(double weight) {
    this.weight = weight;
  }

  void enqueued(long costNanos) {
    pending++;
    workAheadNanos += costNanos;
  }

  void started(long costNanos) {
    workAheadNanos -= costNanos;
  }

  void dropped(long costNanos) {
    pending--;
    workAheadNanos -= costNanos;
  }

  void finished(boolean large, long endNanos, long nanos, long costNanos) {
    slowness.measured(endNanos, nanos, costNanos);
    pending--;
    completed++;
    service = mean(service, nanos);
    if (large) {
      serviceLarge = mean(serviceLarge, nanos);
    } else {
      serviceSmall = mean(serviceSmall, nanos);
    }
  }

  /** Records that a running read was stopped. */
  void aborted() {
    pending--;
  }

  /** Records that the node died and lost all reads. */
  void lost() {
    pending = 0;
    workAheadNanos = 0;
  }

  /** Resets the statistics of a restarted node. */
  void restarted() {
    completed = 0;
    slowness = new Slowness();
    service = Double.NaN;
    serviceSmall = Double.NaN;
    serviceLarge = Double.NaN;
  }

  /** Reads waiting or running. */
  long pending() {
    return pending;
  }

  /** Writes the facts of the given columns. */
  void report(long[] facts, int[] columns) {
    for (int column : columns) {
      facts[column] =
          switch (COLUMNS[column]) {
            case PENDING_READS -> pending;
            case SERVICE_TIME -> Math.round(service);
            case SERVICE_TIME_SMALL -> Math.round(serviceSmall);
            case SERVICE_TIME_LARGE -> Math.round(serviceLarge);
            case WORK_AHEAD -> workAheadNanos;
            case COMPLETED_READS -> completed;
            case SLOWNESS -> slowness.thousandths();
            // Modelled cores are read threads. The model has no cores that reads and messages
            // share.
            case CORES_IN_USE -> 0;
            // Coordinators measure the price of a hop.
            case HOP_PRICE -> 0;
          };
    }
  }

  private double mean(double mean, long nanos) {
    return Double.isNaN(mean) ? nanos : weight * nanos + (1 - weight) * mean;
  }
}
