/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Timer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * Collects the keys of one backend that are due for a refresh, for two milliseconds or until the
 * previous refresh has ended, so that the keys of one or several pages are read together.
 * Thread-safe.
 */
final class Refresher<K> {
  private static final long GATHER_NANOS = 2_000_000;

  /** Maximum number of waiting keys; further keys become due again later. */
  static final int MOST_WAITING = 10_000;

  /** Maximum number of keys of one load. */
  static final int MOST_AT_ONCE = 500;

  private final Timer timer;
  private final BiConsumer<List<K>, Runnable> read;

  // Guarded by this.
  private Set<K> waiting = new LinkedHashSet<>();
  private boolean underWay;

  /**
   * @param read refreshes keys, then runs the given callback, after a failure too
   */
  Refresher(Timer timer, BiConsumer<List<K>, Runnable> read) {
    this.timer = timer;
    this.read = read;
  }

  /** Adds a key that is due. */
  void due(K key) {
    synchronized (this) {
      if (waiting.size() < MOST_WAITING) {
        waiting.add(key);
      }
      if (underWay) {
        return;
      }
      underWay = true;
    }
    later();
  }

  /** Never runs on the caller's thread, which already has its answer. */
  private void later() {
    boolean comes = false;
    try {
      timer.after(GATHER_NANOS, this::next);
      comes = true;
    } catch (RejectedExecutionException e) {
      // The cache is closed.
    } finally {
      if (!comes) {
        // For example, out of memory: the next due key tries again.
        idle();
      }
    }
  }

  private synchronized void idle() {
    underWay = false;
  }

  private void next() {
    try {
      read.accept(take(), this::ended);
    } catch (Throwable e) {
      // Catches everything, else no key would be refreshed any more; these keys become due again
      // later.
      ended();
    }
  }

  private synchronized List<K> take() {
    List<K> keys = new ArrayList<>();
    try {
      waiting.stream().limit(MOST_AT_ONCE).forEach(keys::add);
      keys.forEach(waiting::remove);
      return keys;
    } catch (Throwable e) {
      // A key's equals or hashCode failed, and would fail again.
      waiting = new LinkedHashSet<>();
      throw e;
    }
  }

  private void ended() {
    synchronized (this) {
      underWay = !waiting.isEmpty();
      if (!underWay) {
        return;
      }
    }
    later();
  }
}
