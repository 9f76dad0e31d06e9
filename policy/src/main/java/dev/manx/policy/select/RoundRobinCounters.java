/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import dev.manx.policy.Request;
import dev.manx.policy.SplitMix;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Round-robin counters, 4096 by hash; users that share a counter share its turns. They start at
 * random, so that coordinators do not move in step. Lock-free.
 */
final class RoundRobinCounters {
  private static final int COUNTERS = 4_096;

  private final AtomicIntegerArray counters = new AtomicIntegerArray(COUNTERS);

  RoundRobinCounters(SplitMix random) {
    for (int i = 0; i < COUNTERS; i++) {
      counters.set(i, random.nextInt());
    }
  }

  /**
   * Puts the replica whose turn it is first in {@code replicas[from, to)}. A read that is sent to
   * several replicas also goes to the next ones in turn; the first comes after the last.
   */
  void rank(Request request, int read, int from, int to, long hash) {
    int choices = ReplicaChoices.choices(request, read, from, to);
    if (choices < 1) {
      return;
    }
    int turn = from + next(request, hash, to - from);
    // The turns after the last replica need no move: they are the first of the others.
    for (int i = 0; i < choices && turn + i < to; i++) {
      request.toFront(from + i, turn + i);
    }
  }

  /** The next turn of a hash, from 0 to {@code count - 1}. */
  private int next(Request request, long hash, int count) {
    int at = (int) (SplitMix.mix(hash) & (COUNTERS - 1));
    long turn = request.recalled(counters.getAndIncrement(at) & Integer.MAX_VALUE);
    return (int) (turn % count);
  }

  /** Sets the counter of a hash. */
  void set(long hash, int value) {
    counters.set((int) (SplitMix.mix(hash) & (COUNTERS - 1)), value);
  }
}
