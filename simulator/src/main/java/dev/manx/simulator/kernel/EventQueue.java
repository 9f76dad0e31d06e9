/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.kernel;

import java.util.Arrays;

/**
 * A 4-ary heap of events in two arrays of longs; earliest time first, then smallest stamp. Nothing
 * is allocated per event. Confined to one thread.
 */
final class EventQueue {
  private static final int WAYS = 4;

  private long[] times = new long[256];
  private long[] stamps = new long[256];
  private int size;

  int size() {
    return size;
  }

  long headTime() {
    return times[0];
  }

  long headStamp() {
    return stamps[0];
  }

  void add(long time, long stamp) {
    if (size == times.length) {
      times = Arrays.copyOf(times, size * 2);
      stamps = Arrays.copyOf(stamps, size * 2);
    }
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) / WAYS;
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

  void removeHead() {
    int last = --size;
    if (last == 0) {
      return;
    }
    long time = times[last];
    long stamp = stamps[last];
    int hole = 0;
    while (true) {
      int child = hole * WAYS + 1;
      if (child >= last) {
        break;
      }
      int best = child;
      int end = Math.min(child + WAYS, last);
      for (int other = child + 1; other < end; other++) {
        if (times[other] < times[best]
            || (times[other] == times[best] && stamps[other] < stamps[best])) {
          best = other;
        }
      }
      if (time < times[best] || (time == times[best] && stamp < stamps[best])) {
        break;
      }
      times[hole] = times[best];
      stamps[hole] = stamps[best];
      hole = best;
    }
    times[hole] = time;
    stamps[hole] = stamp;
  }
}
