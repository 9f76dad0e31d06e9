/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * Cores shared by more reads than cores (processor sharing). With n reads on c cores each proceeds
 * at {@code min(1, c/n)} of a core's speed. Constant memory; a start, an end and a stop take time
 * in proportion to the number of reads that run. Confined to one thread.
 */
final class SharedCores {
  /** Less work than this is due to rounding. */
  private static final double NOTHING_NANOS = 0.5;

  private final double cores;
  private final Read[] running;
  private final double[] workNanos;
  private final double[] leftNanos;
  private int count;
  private double endedWorkNanos;
  private long lastNanos;
  private long dueNanos = Long.MAX_VALUE;
  private boolean frozen;

  SharedCores(int cores, int threads) {
    this.cores = cores;
    running = new Read[threads];
    workNanos = new double[threads];
    leftNanos = new double[threads];
  }

  /** Starts a read with the given work. */
  void add(Read read, double nanos, long nowNanos) {
    advance(nowNanos);
    workNanos[count] = nanos;
    leftNanos[count] = nanos;
    running[count++] = read;
  }

  /** Removes a running read, and returns its completed work. */
  double remove(Read read, long nowNanos) {
    advance(nowNanos);
    for (int i = 0; i < count; i++) {
      if (running[i] == read) {
        double done = workNanos[i] - leftNanos[i];
        removeAt(i);
        return done;
      }
    }
    throw new IllegalStateException("the read does not run here");
  }

  /** Work left of a running read. */
  double leftNanos(Read read, long nowNanos) {
    advance(nowNanos);
    for (int i = 0; i < count; i++) {
      if (running[i] == read) {
        return leftNanos[i];
      }
    }
    throw new IllegalStateException("the read does not run here");
  }

  /** Removes and returns a read whose work is done; null if there is none. */
  Read ended(long nowNanos) {
    advance(nowNanos);
    for (int i = 0; i < count; i++) {
      if (leftNanos[i] <= NOTHING_NANOS) {
        Read read = running[i];
        endedWorkNanos = workNanos[i];
        removeAt(i);
        return read;
      }
    }
    return null;
  }

  /** Work of the read last returned by {@link #ended}. */
  double endedWorkNanos() {
    return endedWorkNanos;
  }

  /** Time of the next end without further events; the largest long for never. */
  long nextEndNanos() {
    double least = Double.POSITIVE_INFINITY;
    for (int i = 0; i < count; i++) {
      least = Math.min(least, leftNanos[i]);
    }
    dueNanos =
        frozen || count == 0
            ? Long.MAX_VALUE
            : lastNanos + Math.max(1, (long) Math.ceil(least / rate()));
    return dueNanos;
  }

  /** Whether an event is the last one scheduled. */
  boolean isDue(long nowNanos) {
    return nowNanos == dueNanos;
  }

  /** Pauses or resumes all reads. */
  void freeze(boolean on, long nowNanos) {
    advance(nowNanos);
    frozen = on;
  }

  /** Multiplies the work left of all reads by a factor. */
  void stretch(double factor, long nowNanos) {
    advance(nowNanos);
    for (int i = 0; i < count; i++) {
      double more = leftNanos[i] * (factor - 1);
      leftNanos[i] += more;
      workNanos[i] += more;
    }
  }

  private double rate() {
    return Math.min(1, cores / count);
  }

  private void advance(long nowNanos) {
    if (!frozen && count > 0) {
      double done = (nowNanos - lastNanos) * rate();
      for (int i = 0; i < count; i++) {
        leftNanos[i] -= done;
      }
    }
    lastNanos = nowNanos;
  }

  // The order is kept, so that of two reads with the same end the earlier started one ends first.
  private void removeAt(int index) {
    count--;
    System.arraycopy(running, index + 1, running, index, count - index);
    System.arraycopy(workNanos, index + 1, workNanos, index, count - index);
    System.arraycopy(leftNanos, index + 1, leftNanos, index, count - index);
    running[count] = null;
  }
}
