/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * Cores that more reads share than there are cores: processor sharing. With n reads on c cores each
 * goes on at {@code min(1, c/n)} of a core's speed. Constant memory; a start, an end and a stop
 * take time in proportion to the number of reads that run. Confined to one thread.
 */
final class SharedCores {
  /** Work below this is rounding. */
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

  /** Starts a read with so much work. */
  void add(Read read, double nanos, long nowNanos) {
    advance(nowNanos);
    workNanos[count] = nanos;
    leftNanos[count] = nanos;
    running[count++] = read;
  }

  /** Takes a read out that runs here, and returns the work that was done. */
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

  /** A read whose work is done, which is taken out; null for none. */
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

  /** Work of the read that {@link #ended} gave last. */
  double endedWorkNanos() {
    return endedWorkNanos;
  }

  /** When the next read ends if nothing else happens; the largest long for never. */
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

  /** Whether an event is the one that was asked for last. */
  boolean isDue(long nowNanos) {
    return nowNanos == dueNanos;
  }

  /** Everything stands still, or goes on. */
  void freeze(boolean on, long nowNanos) {
    advance(nowNanos);
    frozen = on;
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

  // The order stays, so that of two reads that end at once the one that started first ends first.
  private void removeAt(int index) {
    count--;
    System.arraycopy(running, index + 1, running, index, count - index);
    System.arraycopy(workNanos, index + 1, workNanos, index, count - index);
    System.arraycopy(leftNanos, index + 1, leftNanos, index, count - index);
    running[count] = null;
  }
}
