/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Who is told of backends that come and go; what a listener throws is logged. Any thread. */
final class BackendListeners {
  private final SparseLog log = new SparseLog(FanoutCache.class);
  private final List<BackendListener> listeners = new CopyOnWriteArrayList<>();

  /**
   * One more.
   *
   * @param there backends that it is told of now
   */
  void add(BackendListener listener, Collection<Backend<?, ?>> there) {
    listeners.add(listener);
    there.forEach(backend -> tell(listener, each -> each.added(backend)));
  }

  void added(Backend<?, ?> backend) {
    listeners.forEach(listener -> tell(listener, each -> each.added(backend)));
  }

  void removed(Backend<?, ?> backend) {
    listeners.forEach(listener -> tell(listener, each -> each.removed(backend)));
  }

  private void tell(BackendListener listener, Consumer<BackendListener> what) {
    try {
      what.accept(listener);
    } catch (Throwable e) {
      // The backend is there, or gone, whatever a listener makes of that.
      log.warn("a listener of backends failed", e);
    }
  }
}
