/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/**
 * A backend as a queue of work that drains at its workers' speed times its available capacity: a
 * query waits until earlier work is done, and then takes its service time.
 */
final class BackendQueue {
  /* A fluid approximation of first come, first served with many workers: exact for the work in the
   * system, and for waiting times if the workers are many or all busy. It needs no event per query,
   * and reduced capacity delays queries by queueing alone, like a limit of IOPS or a CPU quota. */
  private final double workers;
  private double workNanos;
  private long lastNanos;
  private double busyNanos;
  private double capacityNanos;
  private long queries;

  BackendQueue(double workers) {
    this.workers = workers;
  }

  /**
   * Adds a query.
   *
   * @param part available fraction of the capacity
   * @param serviceNanos service time of the query
   * @return its latency
   */
  long submit(long nowNanos, double part, double serviceNanos) {
    drain(nowNanos, part);
    double wait = workNanos / (workers * part);
    workNanos += serviceNanos;
    queries++;
    return Math.max(1, Math.round(wait + serviceNanos));
  }

  /** Advances the work to a given time. */
  void drain(long nowNanos, double part) {
    double could = (nowNanos - lastNanos) * workers * part;
    busyNanos += Math.min(could, workNanos);
    capacityNanos += could;
    workNanos = Math.max(0, workNanos - could);
    lastNanos = nowNanos;
  }

  /** Completed work over possible work since the counters were reset. */
  double utilisation() {
    return capacityNanos <= 0 ? 0 : busyNanos / capacityNanos;
  }

  long queries() {
    return queries;
  }

  void resetCounters() {
    queries = 0;
    busyNanos = 0;
    capacityNanos = 0;
  }
}
