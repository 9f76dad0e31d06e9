/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Detects whether reads have waited for a read thread lately, at this node or at one that reported
 * it. While hardly any wait, orders and plans gain less than they cost, and Manx leaves requests to
 * stock. Any thread.
 *
 * <p>Waits matter once they add up to a {@value #SHARE}th of the reads' own service times; on a
 * host whose cores are saturated, {@value #PATIENCE} times as much, five times the service times.
 * On such a host some reads always wait, because all read threads are running and themselves wait
 * for a core. No order shortens that, and plans, which cost a tenth to a fifth of the CPU, lengthen
 * it. Times do not show this: a read may run for 0.1 ms after its thread has waited 30 ms to be
 * woken up. So a wait then counts as the part of a service time in which all threads could have run
 * the reads ahead of it; five service times are five waiting reads per thread. Only the node with
 * saturated cores knows why its reads wait, so it judges by itself and reports the result to the
 * others ({@link #waitsForCores}); the load of the receiving node's own cores is irrelevant to that
 * queue.
 */
public final class QueueWatch {
  /**
   * A read that waits no longer than a hop takes is not a sign of a queue that Manx could shorten.
   */
  private static final long NOTICED_NANOS = 250_000;

  /** Waits below this part of the service times are ignored. */
  static final int SHARE = 20;

  /** Waits of this many service times together are a queue, regardless of earlier waits. */
  static final int BURST_READS = 64;

  /** This many service times of waiting work at another node are a queue, if it has few threads. */
  static final int REPORTED_READS = 4;

  /** Divisor of own waits while the host's cores are saturated. */
  static final int PATIENCE = 100;

  private static final double SATURATED = 0.9;

  /**
   * The least service time; shorter reads count as this long. While the cores are saturated, all
   * reads do: waits are parts of it there, so any unit would do.
   */
  private static final long LEAST_SERVICE_NANOS = 100_000;

  // The age of the time that a tick under way has read is below this.
  private static final long LONGEST_TICK_NANOS = 1_000_000_000;

  private volatile long calmAfterNanos;
  private volatile long lastNanos;
  private volatile long lastOwnNanos;
  private volatile boolean calm;
  private volatile boolean watching = true;

  // Waits beyond the share, and the level that makes them a queue.
  private final AtomicLong excessNanos = new AtomicLong();
  private volatile long burstNanos = BURST_READS * LEAST_SERVICE_NANOS;
  private volatile int reportedReads = REPORTED_READS;
  private volatile int patience = 1;
  private volatile int threads = 1;
  // Used by the timer only.
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

  /** Sets another time, as in the constructor; begins as if a queue had just been seen. */
  public void calmAfter(long nanos, long nowNanos) {
    calmAfterNanos = nanos;
    seen(nowNanos);
  }

  /**
   * Begins anew, since Manx was off and knows of no queue: calm, unless reads wait here now.
   *
   * @param waiting whether reads wait now, which counts as a queue
   */
  public void begin(boolean waiting, long nowNanos) {
    if (waiting) {
      seen(nowNanos);
      return;
    }
    // A tick under way compares it with an earlier time.
    lastNanos = nowNanos - calmAfterNanos - LONGEST_TICK_NANOS;
    calm = watching && calmAfterNanos > 0;
  }

  /** Whether this node sees its own queue; otherwise it is never calm. */
  public void watching(boolean own) {
    watching = own;
    calm &= own;
  }

  /** Time without a queue after which the node is calm, nanoseconds; 0 for never. */
  public long calmAfterNanos() {
    return calmAfterNanos;
  }

  /**
   * Records that a read of this node has waited for a read thread.
   *
   * @param ahead number of reads that waited when it arrived, at least 0
   */
  public void waited(long waitNanos, int ahead, long nowNanos) {
    if (waitNanos <= NOTICED_NANOS) {
      return;
    }
    long counted = patience > 1 ? LEAST_SERVICE_NANOS * ahead / threads : waitNanos;
    long burst = burstNanos;
    // One wait counts as at most one burst, so that one stuck read is soon forgotten.
    if (excessNanos.addAndGet(Math.min(counted, burst)) >= burst) {
      seenHere(nowNanos);
    }
  }

  /**
   * Records another node's report of waiting work: a queue if its read threads, assumed to be as
   * many as here, need half a service time for it.
   *
   * @param workNanos forecast service time of its waiting reads
   * @param serviceNanos service time of one of its reads; 0 if unknown
   */
  public void reported(long workNanos, long serviceNanos, long nowNanos) {
    if (workNanos > reportedReads * Math.max(LEAST_SERVICE_NANOS, serviceNanos)) {
      seen(nowNanos);
    }
  }

  /**
   * Whether reads at this node wait for a core, judged by its own waits: the host's cores are
   * saturated, and the waits are within the range that saturation explains. Other nodes need not
   * react to them.
   */
  public boolean waitsForCores(long nowNanos) {
    return patience > 1 && watching && nowNanos - lastOwnNanos > calmAfterNanos;
  }

  /**
   * Sets how busy the host's cores are.
   *
   * @param share their recent utilization, 0 to 1; negative if unknown
   */
  public void cores(double share) {
    int now = share >= SATURATED ? PATIENCE : 1;
    if (now != patience) {
      // Times become parts of service times, or the other way round.
      excessNanos.set(0);
      if (now > 1) {
        // Until the next tick a burst of times would be far too short for parts.
        burstNanos = burst(now, LEAST_SERVICE_NANOS);
      }
      patience = now;
    }
  }

  private static long burst(int times, long serviceNanos) {
    return (long) times * BURST_READS * serviceNanos;
  }

  private void seenHere(long nowNanos) {
    lastOwnNanos = nowNanos;
    seen(nowNanos);
  }

  /** Records a queue, or a node that does not answer in time. */
  public void seen(long nowNanos) {
    lastNanos = nowNanos;
    if (calm) {
      calm = false;
    }
  }

  /**
   * Called by the timer, some ten times a second.
   *
   * @param completedReads number of completed reads of this node since its start
   * @param serviceNanos service time of one of them; 0 if unknown
   * @param waiting whether reads wait now
   * @param threads number of read threads, at least 1
   */
  public void tick(
      long completedReads, long serviceNanos, boolean waiting, int threads, long nowNanos) {
    long completed = completedReads - completedBefore;
    // Below zero if more reads were just arriving at the last tick than now. Those count as ended
    // for that moment, and must not count again later.
    completedBefore = Math.max(completedBefore, completedReads);
    if (waiting && completed <= 0) {
      // Threads that hang take no read from the queue, so no wait would be recorded.
      seenHere(nowNanos);
    }
    int times = patience;
    long service = times > 1 ? LEAST_SERVICE_NANOS : Math.max(LEAST_SERVICE_NANOS, serviceNanos);
    this.threads = threads;
    long burst = burst(times, service);
    burstNanos = burst;
    reportedReads = Math.max(REPORTED_READS, threads / 2);
    long unnoticed = Math.max(0, completed) * service * times / SHARE;
    excessNanos.updateAndGet(had -> Math.max(0, Math.min(had, 2 * burst) - unnoticed));
    calm = watching && calmAfterNanos > 0 && nowNanos - lastNanos > calmAfterNanos;
  }

  /** Whether no queue was seen for the configured time, as of the last tick. */
  public boolean isCalm() {
    return calm;
  }

  /** How long ago a queue was seen last. */
  public long sinceNanos(long nowNanos) {
    return Math.max(0, nowNanos - lastNanos);
  }
}
