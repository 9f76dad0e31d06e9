/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The token buckets in a form that rankings read without a lock: for each node its rate and the
 * time when its bucket was empty. The two may be read at different times, which costs a few tokens.
 * Any thread may query; {@link #publish} is called by one thread at a time.
 */
final class OpenRates {
  private final CubicRate.Law law;
  // Two values per node: when it was empty, and the bits of its rate; a rate of 0 is unknown.
  private volatile AtomicLongArray places = new AtomicLongArray(0);

  OpenRates(CubicRate.Law law) {
    this.law = law;
  }

  /** Publishes a new rate or new tokens. */
  void publish(int node, CubicRate rate) {
    AtomicLongArray now = places;
    if (2 * node >= now.length()) {
      AtomicLongArray grown = new AtomicLongArray(Math.max(2 * node + 2, 2 * now.length()));
      for (int i = 0; i < now.length(); i++) {
        grown.setPlain(i, now.getPlain(i));
      }
      now = grown;
    }
    now.setOpaque(2 * node, rate.emptyNanos());
    now.setOpaque(2 * node + 1, Double.doubleToRawLongBits(rate.sendRate()));
    places = now;
  }

  /** Forgets a node. */
  void forget(int node) {
    AtomicLongArray now = places;
    if (2 * node < now.length()) {
      now.setOpaque(2 * node + 1, 0);
    }
  }

  /** Whether, as far as is known, a node may be sent one more read after the given number. */
  boolean isOpen(int node, int planned, long nowNanos) {
    AtomicLongArray now = places;
    double rate =
        2 * node < now.length() ? Double.longBitsToDouble(now.getOpaque(2 * node + 1)) : 0;
    double tokens =
        rate == 0
            ? law.burst()
            : Math.min(
                law.burst(), rate * (nowNanos - now.getOpaque(2 * node)) / law.windowNanos());
    return tokens - planned >= 1 - 1e-9;
  }
}
