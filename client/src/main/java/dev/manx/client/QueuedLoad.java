/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A load by a blocking loader that may wait for a thread. If it times out before it begins, it is
 * not begun, and leaves its queue: after a hang, the backend is spared loads that no query waits
 * for, and these take no place of later ones.
 */
final class QueuedLoad<K, V> extends CompletableFuture<Map<K, V>> implements Runnable {
  private final Loader.Blocking<K, V> loader;
  private final Executor executor;
  // Null after it has begun or was given up: a queue may hold it longer than its request lives.
  private final AtomicReference<Work<K>> work;

  /**
   * What the loader reads.
   *
   * @param context of the thread that calls the loader, for the thread that runs it; null: none
   */
  private record Work<K>(List<K> keys, LoadContext context) {}

  /**
   * @param executor on which it is to run
   */
  QueuedLoad(Loader.Blocking<K, V> loader, List<K> keys, Executor executor) {
    this.loader = loader;
    this.executor = executor;
    work = new AtomicReference<>(new Work<>(keys, LoadContext.here()));
  }

  @Override
  public void run() {
    Work<K> own = work.getAndSet(null);
    if (own == null) {
      return;
    }
    try {
      complete(LoadContext.call(own.context(), () -> loader.loadAll(own.keys())));
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }

  /** Fails it, unless it has begun. */
  void refuse(Throwable why) {
    if (work.getAndSet(null) != null) {
      completeExceptionally(why);
    }
  }

  /** Prevents it from beginning, unless it has begun, and gives its place to a later load. */
  void discard() {
    if (work.getAndSet(null) != null) {
      cancel(false);
      leave();
    }
  }

  private void leave() {
    try {
      if (executor instanceof LoaderPool.Lane lane) {
        lane.remove(this);
      } else if (executor instanceof ThreadPoolExecutor pool) {
        pool.remove(this);
      }
    } catch (Throwable e) {
      // A queue of the application failed; the load keeps its place there, and does nothing when
      // it runs. Queries wait for the caller.
    }
  }
}
