/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

/**
 * Whether reads have waited for a read thread lately, at this node or at one that reported it.
 * Where none has, no order and no plan can gain anything, and Manx leaves requests to stock. Any
 * thread.
 */
public final class QueueWatch {
  /** A read that waits no longer than a hop takes is no sign of a queue that Manx could help. */
  private static final long NOTICED_NANOS = 250_000;

  private volatile long calmAfterNanos;
  private volatile long lastNanos;
  private volatile boolean calm;
  private volatile boolean watching = true;

  /**
   * Begins as if a queue had just been seen.
   *
   * @param calmAfterNanos time without a queue after which the node is calm; 0 for never
   */
  public QueueWatch(long calmAfterNanos, long nowNanos) {
    this.calmAfterNanos = calmAfterNanos;
    this.lastNanos = nowNanos;
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

  /**
   * A read waited for a read thread, or a queue was met somewhere; a wait too short to matter is no
   * queue.
   *
   * @param waitNanos how long the read waited, or the work that waits in the queue
   */
  public void waited(long waitNanos, long nowNanos) {
    if (waitNanos > NOTICED_NANOS) {
      seen(nowNanos);
    }
  }

  /** A queue was seen, or a node does not answer in time. */
  public void seen(long nowNanos) {
    lastNanos = nowNanos;
    if (calm) {
      calm = false;
    }
  }

  /** The timer's call, some ten times a second. */
  public void tick(long nowNanos) {
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
