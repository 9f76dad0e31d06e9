/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import dev.manx.policy.Ewma;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The load of a replica's own read stage. Each read is {@code enqueued}, then either {@code
 * started} and {@code finished}, or {@code dropped}.
 *
 * <p>Threads: read threads and receivers report while other threads read; lock-free, allocates
 * nothing. Each number is exact; two of them read together may belong to moments a few events
 * apart.
 */
public final class LocalLoad {
  /** Weight of the newest service time: the last twenty or so reads of a class count. */
  public static final double WEIGHT = 0.1;

  private final AtomicLong pending = new AtomicLong();
  private final AtomicLong workAheadNanos = new AtomicLong();
  private final AtomicLong completed = new AtomicLong();
  // Reads that a counting stage still contains although another replica serves them.
  private final AtomicLong ceded = new AtomicLong();
  // Reads that have left a counting stage because another replica served them.
  private final AtomicLong unserved = new AtomicLong();
  private volatile Stage stage;
  private volatile boolean waitsForCores;
  private volatile long coresInUse;
  private final Ewma service;
  private final Ewma serviceSmall;
  private final Ewma serviceLarge;
  private final Slowness slowness = new Slowness();
  private final KeySample keys = new KeySample();

  /** Creates the load of an idle replica with the default smoothing. */
  public LocalLoad() {
    this(WEIGHT);
  }

  /**
   * Creates the load of an idle replica.
   *
   * @param weight of the newest service time, in (0, 1]
   */
  public LocalLoad(double weight) {
    service = new Ewma(weight);
    serviceSmall = new Ewma(weight);
    serviceLarge = new Ewma(weight);
  }

  /** The counts of a read stage that does its own counting. Any thread may call it. */
  public interface Stage {
    /** Reads waiting or running. */
    long pendingReads();

    /** Reads that left the stage since it started. */
    long completedReads();
  }

  /**
   * Takes both counts from a stage that also runs reads which are not reported here one by one;
   * null to count the reported reads.
   */
  public void countedBy(Stage counts) {
    stage = counts;
  }

  /** Sets whether reads wait here because the host's cores are saturated. */
  public void waitsForCores(boolean saturated) {
    waitsForCores = saturated;
  }

  /** Whether reads wait here because the host's cores are saturated, not because of an order. */
  public boolean waitsForCores() {
    return waitsForCores;
  }

  /**
   * Sets how busy the host's cores are.
   *
   * @param share their recent utilization by all processes, 0 to 1; negative if unknown
   */
  public void coresInUse(double share) {
    coresInUse = Math.round(Math.max(0, share) * 1_000);
  }

  /** Records that a read waits. */
  public void enqueued(long costNanos) {
    pending.incrementAndGet();
    workAheadNanos.addAndGet(costNanos);
  }

  /** Records that a waiting read runs; its cost is that of {@link #enqueued}. */
  public void started(long costNanos) {
    workAheadNanos.addAndGet(-costNanos);
  }

  /**
   * Records that a running read ended.
   *
   * @param large whether its value was large
   * @param endNanos when it ended, on the node's clock
   * @param serviceNanos how long it ran, without its wait
   * @param forecastNanos its coordinator's forecast, which is comparable with forecasts of other
   *     nodes' reads; 0 if unknown
   */
  public void finished(boolean large, long endNanos, long serviceNanos, long forecastNanos) {
    ended();
    sampled(large, endNanos, serviceNanos, forecastNanos);
  }

  private void ended() {
    pending.decrementAndGet();
    completed.incrementAndGet();
  }

  /** Records the service time of a read that was never {@code enqueued}. */
  public void sampled(boolean large, long endNanos, long serviceNanos, long forecastNanos) {
    service.add((double) serviceNanos);
    judged(large, endNanos, serviceNanos, forecastNanos);
  }

  private void judged(boolean large, long endNanos, long serviceNanos, long forecastNanos) {
    slowness.measured(endNanos, serviceNanos, forecastNanos);
    (large ? serviceLarge : serviceSmall).add((double) serviceNanos);
  }

  /**
   * Records that a running read of a known key ended, as {@link #finished(boolean, long, long,
   * long)}. The node's slowness and its service times of large and other reads are sampled by key:
   * a frequently read key counts no more than others.
   *
   * @param keyHash hash of its key, with all bits mixed
   */
  public void finished(
      boolean large, long endNanos, long serviceNanos, long forecastNanos, long keyHash) {
    ended();
    sampled(large, endNanos, serviceNanos, forecastNanos, keyHash);
  }

  /**
   * Records the service time of a read of a known key that was never {@code enqueued}, as {@link
   * #finished(boolean, long, long, long, long)}.
   *
   * @param keyHash hash of its key, with all bits mixed
   */
  public void sampled(
      boolean large, long endNanos, long serviceNanos, long forecastNanos, long keyHash) {
    service.add((double) serviceNanos);
    if (keys.takes(keyHash)) {
      judged(large, endNanos, serviceNanos, forecastNanos);
    }
  }

  /** Records that a running read ended without a usable service time (it failed). */
  public void failed() {
    pending.decrementAndGet();
  }

  /** Records that a waiting read was dropped; its cost is that of {@link #enqueued}. */
  public void dropped(long costNanos) {
    pending.decrementAndGet();
    workAheadNanos.addAndGet(-costNanos);
  }

  /** Records that another replica serves a waiting read; its cost is that of {@link #enqueued}. */
  public void ceded(long costNanos) {
    ceded.incrementAndGet();
    dropped(costNanos);
  }

  /** Records that a ceded read waits again. */
  public void takenBack(long costNanos) {
    ceded.decrementAndGet();
    enqueued(costNanos);
  }

  /** Records that the turn of a ceded read was skipped. */
  public void passedOver() {
    ceded.decrementAndGet();
    unserved();
  }

  /** Records that a read left the stage without being served. */
  public void unserved() {
    unserved.incrementAndGet();
  }

  /** Reads waiting or running, without those that another replica serves. */
  public long pendingReads() {
    Stage counts = stage;
    return counts == null ? pending.get() : counts.pendingReads() - ceded.get();
  }

  /** Forecast service time of the reads waiting. */
  public long workAheadNanos() {
    return workAheadNanos.get();
  }

  /**
   * Reads that left the read stage since the start and were not served by another replica. If a
   * stage counts, they include those that failed or expired.
   */
  public long completedReads() {
    Stage counts = stage;
    return counts == null ? completed.get() : counts.completedReads() - unserved.get();
  }

  /** Smoothed service time of a read; 0 before the first. */
  public long serviceNanos() {
    return Math.round(service.get(0));
  }

  /** Smoothed service time of a read not large; 0 before the first. */
  public long serviceSmallNanos() {
    return Math.round(serviceSmall.get(0));
  }

  /** Smoothed service time of a large read; 0 before the first. */
  public long serviceLargeNanos() {
    return Math.round(serviceLarge.get(0));
  }

  /** The present value of a fact's number in its wire unit: never negative. */
  public long value(FactColumn column) {
    return Math.max(
        0,
        switch (column) {
          case PENDING_READS -> pendingReads();
          case SERVICE_TIME -> serviceNanos();
          case SERVICE_TIME_SMALL -> serviceSmallNanos();
          case SERVICE_TIME_LARGE -> serviceLargeNanos();
          case WORK_AHEAD -> workAheadNanos();
          case COMPLETED_READS -> completedReads();
          case SLOWNESS -> slowness.thousandths();
          case CORES_IN_USE -> coresInUse;
          case HOP_PRICE -> 0;
        });
  }
}
