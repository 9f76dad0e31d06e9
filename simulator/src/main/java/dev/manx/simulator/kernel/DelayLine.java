/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.kernel;

/**
 * Events with a constant delay, which are due in the order of their creation: a ring instead of a
 * heap. Confined to one thread.
 */
final class DelayLine {
  private long[] times = new long[1024];
  private long[] stamps = new long[1024];
  private int head;
  private int size;

  int size() {
    return size;
  }

  long headTime() {
    return times[head];
  }

  long headStamp() {
    return stamps[head];
  }

  void add(long time, long stamp) {
    if (size == times.length) {
      grow();
    }
    int tail = (head + size++) & (times.length - 1);
    times[tail] = time;
    stamps[tail] = stamp;
  }

  void removeHead() {
    head = (head + 1) & (times.length - 1);
    size--;
  }

  private void grow() {
    long[] moreTimes = new long[size * 2];
    long[] moreStamps = new long[size * 2];
    for (int i = 0; i < size; i++) {
      int at = (head + i) & (times.length - 1);
      moreTimes[i] = times[at];
      moreStamps[i] = stamps[at];
    }
    times = moreTimes;
    stamps = moreStamps;
    head = 0;
  }
}
