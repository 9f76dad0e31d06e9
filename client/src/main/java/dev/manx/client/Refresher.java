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
 * Collects the keys of one backend that are due to be read again, for two milliseconds or until the
 * refresh before has ended, so that the keys of a page, and of several, are read together. Any
 * thread.
 */
final class Refresher<K> {
  private static final long GATHER_NANOS = 2_000_000;

  /** More keys than these wait for no refresh; those left out are due again later. */
  static final int MOST_WAITING = 10_000;

  /** Keys of one load. */
  static final int MOST_AT_ONCE = 500;

  private final Timer timer;
  private final BiConsumer<List<K>, Runnable> read;

  // Guarded by this.
  private Set<K> waiting = new LinkedHashSet<>();
  private boolean underWay;

  /**
   * @param read reads keys again and runs what it is given when that has ended, either way
   */
  Refresher(Timer timer, BiConsumer<List<K>, Runnable> read) {
    this.timer = timer;
    this.read = read;
  }

  /** A key is due. */
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

  /** Never on the caller's thread, which has its answer and waits for nothing. */
  private void later() {
    boolean comes = false;
    try {
      timer.after(GATHER_NANOS, this::next);
      comes = true;
    } catch (RejectedExecutionException e) {
      // The cache is closed.
    } finally {
      if (!comes) {
        // Out of memory, say: the next key that is due tries again.
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
      // Whatever it is, else nothing would be refreshed any more; these keys are due again later.
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
