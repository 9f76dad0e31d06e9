/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.oracle;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Recently learnt keys, up to a bound, until one timer takes them. Threads: any thread adds,
 * without a lock. A key added at the moment of taking may be lost, or an old key may be taken in
 * its place: other coordinators learn the former from their own reads and know the latter already.
 */
final class RecentKeys {
  private final AtomicLongArray hashes;
  private final AtomicInteger count = new AtomicInteger();

  RecentKeys(int most) {
    hashes = new AtomicLongArray(most);
  }

  /** Adds a key; beyond the bound it is dropped. */
  void add(long hash) {
    if (count.get() < hashes.length()) {
      int at = count.getAndIncrement();
      if (at < hashes.length()) {
        hashes.set(at, hash);
      }
    }
  }

  /** Moves the keys into an array and returns their number. */
  int take(long[] into) {
    int taken = Math.min(count.getAndSet(0), Math.min(into.length, hashes.length()));
    for (int i = 0; i < taken; i++) {
      into[i] = hashes.get(i);
    }
    return taken;
  }
}
