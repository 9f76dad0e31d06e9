/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.kernel;

import java.util.Arrays;

/**
 * A binary heap of events in two arrays of longs; earliest time first, then smallest stamp. Nothing
 * is allocated per event. Confined to one thread.
 */
public final class EventQueue {
  private long[] times = new long[256];
  private long[] stamps = new long[256];
  private int size;

  /** Number of events. */
  public int size() {
    return size;
  }

  /** Time of the first event; the queue must not be empty. */
  public long headTime() {
    return times[0];
  }

  /** Stamp of the first event; the queue must not be empty. */
  public long headStamp() {
    return stamps[0];
  }

  /** Adds an event. */
  public void add(long time, long stamp) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      stamps = Arrays.copyOf(stamps, size * 2);
    }
    raise(size++, time, stamp);
  }

  /** Removes the first event; the queue must not be empty. */
  public void removeHead() {
    int last = --size;
    long time = times[last];
    long stamp = stamps[last];
    int hole = 0;
    // The event moved here from the end nearly always belongs near the end: the hole first moves
    // all the way down the smaller children, then the event moves up to its position.
    int child = 1;
    while (child + 1 < last) {
      long left = times[child];
      long right = times[child + 1];
      if (left == right) {
        child += stamps[child + 1] < stamps[child] ? 1 : 0;
      } else {
        child += right < left ? 1 : 0;
      }
      times[hole] = times[child];
      stamps[hole] = stamps[child];
      hole = child;
      child = 2 * hole + 1;
    }
    if (child < last) {
      times[hole] = times[child];
      stamps[hole] = stamps[child];
      hole = child;
    }
    raise(hole, time, stamp);
  }

  private void raise(int from, long time, long stamp) {
    int hole = from;
    while (hole > 0) {
      int parent = (hole - 1) >>> 1;
      long parentTime = times[parent];
      if (parentTime < time || (parentTime == time && stamps[parent] < stamp)) {
        break;
      }
      times[hole] = parentTime;
      stamps[hole] = stamps[parent];
      hole = parent;
    }
    times[hole] = time;
    stamps[hole] = stamp;
  }
}
