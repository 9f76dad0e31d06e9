/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Whether reads have waited for a read thread lately, at this node or at one that reported it.
 * Where hardly any has, no order and no plan gains what it costs, and Manx leaves requests to
 * stock. Any thread.
 *
 * <p>Waits matter once they add up to a {@value #SHARE}th of the time that the reads themselves
 * take; on a host whose cores are saturated, to {@value #PATIENCE} times that, five times as long
 * as the reads. There some reads always wait, because all read threads are under way and themselves
 * wait for a core. No order shortens that, and plans, which cost a tenth to a fifth of the CPU,
 * lengthen it. Only the node whose cores are saturated knows what its reads wait for, so it judges
 * by itself and tells the others ({@link #waitsForCores}); how busy the cores of the node are that
 * hears of a queue says nothing of that queue.
 */
public final class QueueWatch {
  /** A read that waits no longer than a hop takes is no sign of a queue that Manx could help. */
  private static final long NOTICED_NANOS = 250_000;

  /** Waits within this part of the service times are not noticed. */
  static final int SHARE = 20;

  /** Waits of so many service times together are a queue, whatever was before. */
  static final int BURST_READS = 64;

  /** So many service times of work that wait at another node are a queue, if it has few threads. */
  static final int REPORTED_READS = 4;

  /** Own waits count this much less while the host's cores are saturated. */
  static final int PATIENCE = 100;

  private static final double SATURATED = 0.9;

  /** Reads that take less are taken as this long. */
  private static final long LEAST_SERVICE_NANOS = 100_000;

  private volatile long calmAfterNanos;
  private volatile long lastNanos;
  private volatile long lastOwnNanos;
  private volatile boolean calm;
  private volatile boolean watching = true;

  // Waits beyond the share, and what makes them a queue.
  private final AtomicLong excessNanos = new AtomicLong();
  private volatile long burstNanos = BURST_READS * LEAST_SERVICE_NANOS;
  private volatile int reportedReads = REPORTED_READS;
  private volatile int patience = 1;
  // Used by the timer alone.
  private long completedBefore;

  /**
   * Begins as if a queue had just been seen.
   *
   * @param calmAfterNanos time without a queue after which the node is calm; 0 for never
   */
  public QueueWatch(long calmAfterNanos, long nowNanos) {
    this.calmAfterNanos = calmAfterNanos;
    this.lastNanos = nowNanos;
    this.lastOwnNanos = nowNanos;
  }

  /** From now on another time, as in the constructor; begins as if a queue had just been seen. */
  public void calmAfter(long nanos, long nowNanos) {
    calmAfterNanos = nanos;
    seen(nowNanos);
  }

  /** Whether this node sees its own queue; while it does not, it is never calm. */
  public void watching(boolean own) {
    watching = own;
    calm &= own;
  }

  /** Time without a queue after which the node is calm, nanoseconds; 0 for never. */
  public long calmAfterNanos() {
    return calmAfterNanos;
  }

  /** A read of this node has waited for a read thread. */
  public void waited(long waitNanos, long nowNanos) {
    if (waitNanos <= NOTICED_NANOS) {
      return;
    }
    long burst = burstNanos;
    // One wait counts as a burst at most, so that one read that was stuck is forgotten soon.
    if (excessNanos.addAndGet(Math.min(waitNanos, burst)) >= burst) {
      seenHere(nowNanos);
    }
  }

  /**
   * Another node has reported the work that waits there: a queue if its read threads, taken to be
   * as many as here, need half a service time for it.
   *
   * @param workNanos forecast service time of its waiting reads
   * @param serviceNanos of one of its reads; 0 if unknown
   */
  public void reported(long workNanos, long serviceNanos, long nowNanos) {
    if (workNanos > reportedReads * Math.max(LEAST_SERVICE_NANOS, serviceNanos)) {
      seen(nowNanos);
    }
  }

  /**
   * Whether what waits at this node waits for a core, as far as its own waits say: the host's cores
   * are saturated, and the waits are within what that explains. The other nodes need not act on it.
   */
  public boolean waitsForCores(long nowNanos) {
    return patience > 1 && watching && nowNanos - lastOwnNanos > calmAfterNanos;
  }

  /**
   * How busy the host's cores are.
   *
   * @param share of them that was in use lately, 0 to 1; negative if unknown
   */
  public void cores(double share) {
    patience = share >= SATURATED ? PATIENCE : 1;
  }

  private void seenHere(long nowNanos) {
    lastOwnNanos = nowNanos;
    seen(nowNanos);
  }

  /** A queue was seen, or a node does not answer in time. */
  public void seen(long nowNanos) {
    lastNanos = nowNanos;
    if (calm) {
      calm = false;
    }
  }

  /**
   * The timer's call, some ten times a second.
   *
   * @param completedReads of this node since it began
   * @param serviceNanos of one of them; 0 if unknown
   * @param waiting whether reads wait now
   * @param threads that read, at least 1
   */
  public void tick(
      long completedReads, long serviceNanos, boolean waiting, int threads, long nowNanos) {
    long completed = completedReads - completedBefore;
    completedBefore = completedReads;
    if (waiting && completed == 0) {
      // Threads that hang take no read from the queue, which would tell of its wait.
      seenHere(nowNanos);
    }
    long service = Math.max(LEAST_SERVICE_NANOS, serviceNanos);
    int times = patience;
    long burst = times * BURST_READS * service;
    burstNanos = burst;
    reportedReads = Math.max(REPORTED_READS, threads / 2);
    long unnoticed = Math.max(0, completed) * service * times / SHARE;
    excessNanos.updateAndGet(had -> Math.max(0, Math.min(had, 2 * burst) - unnoticed));
    calm = watching && calmAfterNanos > 0 && nowNanos - lastNanos > calmAfterNanos;
  }

  /** Whether none was seen for the time asked for; as of the last tick. */
  public boolean isCalm() {
    return calm;
  }

  /** How long ago a queue was seen last. */
  public long sinceNanos(long nowNanos) {
    return Math.max(0, nowNanos - lastNanos);
  }
}
