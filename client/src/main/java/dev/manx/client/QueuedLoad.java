/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A load by a blocking loader that may wait for a thread. If it times out before it begins, it is
 * not begun, and leaves its queue: after a hang, the backend is spared loads that no query waits
 * for, and these take no place of later ones.
 */
final class QueuedLoad<K, V> extends CompletableFuture<Map<K, V>> implements Runnable {
  private final Loader.Blocking<K, V> loader;
  private final List<K> keys;
  private final Executor executor;
  // Set by the thread that calls the loader, for the thread that runs it.
  private final LoadContext context = LoadContext.here();
  private final AtomicBoolean taken = new AtomicBoolean();

  /**
   * @param executor on which it is to run
   */
  QueuedLoad(Loader.Blocking<K, V> loader, List<K> keys, Executor executor) {
    this.loader = loader;
    this.keys = keys;
    this.executor = executor;
  }

  @Override
  public void run() {
    if (!taken.compareAndSet(false, true)) {
      return;
    }
    try {
      complete(LoadContext.call(context, () -> loader.loadAll(keys)));
    } catch (Throwable e) {
      completeExceptionally(e);
    }
  }

  /** Fails it, unless it has begun. */
  void refuse(Throwable why) {
    if (taken.compareAndSet(false, true)) {
      completeExceptionally(why);
    }
  }

  /** Prevents it from beginning, unless it has begun, and gives its place to a later load. */
  void discard() {
    if (taken.compareAndSet(false, true)) {
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
