/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

/**
 * A backend as a queue of work that drains at its workers' speed times the part of its capacity
 * that it has: a query waits until the work before it is done, and then takes its own service time.
 */
final class BackendQueue {
  /* A fluid approximation of first come, first served with many workers: exact for the work in the
   * system, and for waiting when the workers are many or all busy. It needs no event per query, and
   * the squeezed capacity delays queries by queueing alone, as a limit of IOPS or CPU quota does. */
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
   * A query comes in.
   *
   * @param part of the capacity that the backend has now
   * @param serviceNanos its own
   * @return how long it takes
   */
  long submit(long nowNanos, double part, double serviceNanos) {
    drain(nowNanos, part);
    double wait = workNanos / (workers * part);
    workNanos += serviceNanos;
    queries++;
    return Math.max(1, Math.round(wait + serviceNanos));
  }

  /** Brings the work up to a moment. */
  void drain(long nowNanos, double part) {
    double could = (nowNanos - lastNanos) * workers * part;
    busyNanos += Math.min(could, workNanos);
    capacityNanos += could;
    workNanos = Math.max(0, workNanos - could);
    lastNanos = nowNanos;
  }

  /** Work done over what could have been done, since the counters were reset. */
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
