/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Notifies listeners of added and removed backends and of the end of their cache; logs their
 * exceptions. Thread-safe.
 */
final class BackendListeners {
  private final SparseLog log = new SparseLog(FanoutCache.class);
  private final List<BackendListener> listeners = new CopyOnWriteArrayList<>();
  private volatile boolean closed;

  /**
   * Adds a listener.
   *
   * @param there existing backends, of which the listener is notified now
   */
  void add(BackendListener listener, Collection<Backend<?, ?>> there) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
    there.forEach(backend -> notifyOf(listener, each -> each.added(backend)));
    if (closed) {
      notifyOf(listener, BackendListener::closed);
    }
  }

  void added(Backend<?, ?> backend) {
    listeners.forEach(listener -> notifyOf(listener, each -> each.added(backend)));
  }

  void removed(Backend<?, ?> backend) {
    listeners.forEach(listener -> notifyOf(listener, each -> each.removed(backend)));
  }

  void closed() {
    closed = true;
    listeners.forEach(listener -> notifyOf(listener, BackendListener::closed));
  }

  private void notifyOf(BackendListener listener, Consumer<BackendListener> what) {
    try {
      what.accept(listener);
    } catch (Throwable e) {
      // The backend is added or removed even if a listener fails.
      log.warn("a listener of backends failed", e);
    }
  }
}
