/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import java.util.concurrent.atomic.LongAdder;

/** The plugin's counters since the start of the node. Any thread. */
public final class Counters {
  private final LongAdder[] adders = new LongAdder[Counter.values().length];

  /** Creates counters at zero. */
  public Counters() {
    for (int i = 0; i < adders.length; i++) {
      adders[i] = new LongAdder();
    }
  }

  /** Adds one. */
  public void count(Counter counter) {
    adders[counter.ordinal()].increment();
  }

  /** Adds n. */
  public void count(Counter counter, long n) {
    adders[counter.ordinal()].add(n);
  }

  /** The present value. */
  public long get(Counter counter) {
    return adders[counter.ordinal()].sum();
  }
}
