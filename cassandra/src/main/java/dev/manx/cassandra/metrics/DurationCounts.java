/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Counts durations by bucket, since the start and recently. A bucket is at most an eighth as wide
 * as the durations in it; durations above two minutes share the last bucket. Any thread.
 */
/*
 * Cassandra's own reservoir cannot be summed by others, and weighs each value by its age. Here a
 * value costs one atomic increment; a timer determines the recent part by keeping the counts of a
 * minute ago.
 */
final class DurationCounts {
  private static final int SUB_BITS = 3;
  private static final int SUB = 1 << SUB_BITS;
  private static final int TOP_BITS = 27;

  /** Number of buckets. */
  static final int SIZE = SUB * (TOP_BITS - SUB_BITS + 1);

  /** Most bytes of an object: the counts, and those of the last two turns. */
  static final long MOST_BYTES = 3L * SIZE * Long.BYTES;

  private static final long MOST_MICROS = (1L << TOP_BITS) - 1;

  private final AtomicLongArray counts = new AtomicLongArray(SIZE);
  // The counts at the last two turns; null for zeros.
  private volatile long[] atLastTurn;
  private volatile long[] atTurnBefore;

  /** Counts a duration. */
  void add(long nanos) {
    add(nanos, 1);
  }

  /** Counts a duration that represents a number of durations. */
  void add(long nanos, int weight) {
    counts.getAndAdd(indexOf(nanos / 1_000), weight);
  }

  /** Makes the recent part begin at the turn before last; the timer calls this once a minute. */
  void turn() {
    atTurnBefore = atLastTurn;
    atLastTurn = all();
  }

  /** Adds another object's counts as values from long ago. */
  void take(DurationCounts other) {
    long[] taken = other.all();
    for (int i = 0; i < SIZE; i++) {
      if (taken[i] != 0) {
        counts.getAndAdd(i, taken[i]);
      }
    }
    atTurnBefore = plus(atTurnBefore, taken);
    atLastTurn = plus(atLastTurn, taken);
  }

  private static long[] plus(long[] counts, long[] more) {
    long[] sum = counts == null ? new long[SIZE] : counts.clone();
    add(more, sum);
    return sum;
  }

  /** Adds one array of counts to another. */
  static void add(long[] more, long[] to) {
    for (int i = 0; i < SIZE; i++) {
      to[i] += more[i];
    }
  }

  /** The counts since the start. */
  long[] all() {
    long[] copy = new long[SIZE];
    for (int i = 0; i < SIZE; i++) {
      copy[i] = counts.get(i);
    }
    return copy;
  }

  /** The counts of the last one or two minutes. */
  long[] recent() {
    long[] recent = all();
    long[] before = atTurnBefore;
    if (before != null) {
      for (int i = 0; i < SIZE; i++) {
        recent[i] = Math.max(0, recent[i] - before[i]);
      }
    }
    return recent;
  }

  /** The bucket of a duration. */
  static int indexOf(long micros) {
    long value = Math.max(0, Math.min(MOST_MICROS, micros));
    if (value < SUB) {
      return (int) value;
    }
    int top = 63 - Long.numberOfLeadingZeros(value);
    return SUB * (top - SUB_BITS + 1) + (int) (value >> (top - SUB_BITS)) - SUB;
  }

  /** The longest duration of a bucket, microseconds. */
  static long mostMicros(int index) {
    if (index < SUB) {
      return index;
    }
    int shift = index / SUB - 1;
    return ((long) (index % SUB + SUB + 1) << shift) - 1;
  }
}
