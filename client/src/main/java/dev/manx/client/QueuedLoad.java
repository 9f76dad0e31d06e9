/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A load by a blocking loader that may wait for a thread. If it times out before it begins, it is
 * not begun: after a hang, the backend is spared loads that no query waits for.
 */
final class QueuedLoad<K, V> extends CompletableFuture<Map<K, V>> implements Runnable {
  private final Loader.Blocking<K, V> loader;
  private final List<K> keys;
  // Set by the thread that calls the loader, for the thread that runs it.
  private final LoadContext context = LoadContext.here();
  private final AtomicBoolean taken = new AtomicBoolean();

  QueuedLoad(Loader.Blocking<K, V> loader, List<K> keys) {
    this.loader = loader;
    this.keys = keys;
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

  /** Prevents it from beginning, unless it has begun. */
  void discard() {
    if (taken.compareAndSet(false, true)) {
      cancel(false);
    }
  }
}
