/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * How much longer a coordinator waits for a read at each node than for a read at home when nothing
 * queues: two messages, their serialization and the hand-overs between threads.
 *
 * <p>The least response time of a node within the last one or two windows holds neither a queue nor
 * a large value; its excess over the least one at home is the hop. A lower minimum counts at once.
 * A higher one may be a hiccup in a window of few reads, so each window moves the hop by an eighth
 * of the difference. A node without recent reads keeps its hop for a while, then gets the mean of
 * the measured hops, or {@link #UNKNOWN_NANOS}.
 *
 * <p>Source: ours; the least round-trip time of a window as the uncongested one is BBR's.
 *
 * <p>Threads: any thread reports, one timer rolls; lock-free, allocates nothing.
 */
public final class HopMeter {
  /** The hop of every node before any is measured. */
  public static final long UNKNOWN_NANOS = 300_000;

  /** The longest accepted hop: a larger excess comes from a slow node, and its facts show that. */
  public static final long MOST_NANOS = 5_000_000;

  private static final int WINDOWS_KEPT = 30;
  private static final int RISE = 8;
  private static final long NONE = Long.MAX_VALUE;

  private final AtomicLongArray window;
  private final long[] previous;
  private final long[] known;
  private final int[] idleWindows;

  /** Creates a meter without measurements of nodes 0 to {@code capacity - 1}. */
  public HopMeter(int capacity) {
    window = new AtomicLongArray(capacity);
    previous = new long[capacity];
    known = new long[capacity];
    idleWindows = new int[capacity];
    for (int node = 0; node < capacity; node++) {
      window.set(node, NONE);
    }
    Arrays.fill(previous, NONE);
    Arrays.fill(known, NONE);
  }

  /** Records the response time of a read at another node or at this one. */
  public void answered(int node, long responseNanos) {
    if (node < 0 || node >= window.length()) {
      return;
    }
    long least = window.get(node);
    while (responseNanos < least && !window.compareAndSet(node, least, responseNanos)) {
      least = window.get(node);
    }
  }

  /** Forgets a node, since another node may get its id. */
  public synchronized void forget(int node) {
    if (node >= 0 && node < window.length()) {
      window.set(node, NONE);
      previous[node] = NONE;
      known[node] = NONE;
    }
  }

  /** Ends a window and applies its least response times; the timer calls it about once a second. */
  public synchronized void roll() {
    for (int node = 0; node < known.length; node++) {
      long latest = window.getAndSet(node, NONE);
      long least = Math.min(latest, previous[node]);
      previous[node] = latest;
      if (least != NONE) {
        known[node] =
            known[node] == NONE || least < known[node]
                ? least
                : known[node] + (least - known[node]) / RISE;
        idleWindows[node] = 0;
      } else if (known[node] != NONE && ++idleWindows[node] > WINDOWS_KEPT) {
        known[node] = NONE;
      }
    }
  }

  /**
   * The hop to a node in nanoseconds, 0 to {@link #MOST_NANOS}; 0 for the node itself.
   *
   * @param self this node's id
   * @param nodes ids in use are below this
   */
  public synchronized long hopNanos(int node, int self, int nodes) {
    if (node == self) {
      return 0;
    }
    long home = known[self];
    if (home == NONE) {
      // Without a read at home only the differences between other nodes are known.
      home = least(self, nodes) - UNKNOWN_NANOS;
    }
    if (known[node] != NONE) {
      return clamp(known[node] - home);
    }
    long sum = 0;
    int measured = 0;
    for (int other = 0; other < Math.min(nodes, known.length); other++) {
      if (other != self && known[other] != NONE) {
        sum += clamp(known[other] - home);
        measured++;
      }
    }
    return measured == 0 ? UNKNOWN_NANOS : sum / measured;
  }

  private long least(int self, int nodes) {
    long least = NONE;
    for (int node = 0; node < Math.min(nodes, known.length); node++) {
      least = node == self ? least : Math.min(least, known[node]);
    }
    return least;
  }

  private static long clamp(long nanos) {
    return Math.max(0, Math.min(MOST_NANOS, nanos));
  }
}
