/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.log.SparseLog;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Notifies listeners of latencies; without listeners, reporting a latency costs one read.
 * Thread-safe.
 */
final class LatencyListeners {
  private final SparseLog log = new SparseLog(LatencyListeners.class);
  private final List<LatencyListener> listeners = new CopyOnWriteArrayList<>();

  void add(LatencyListener listener) {
    listeners.add(Objects.requireNonNull(listener, "listener"));
  }

  /** A request with queries is complete. */
  void request(long nanos) {
    if (!listeners.isEmpty()) {
      notifyEach(listener -> listener.request(nanos));
    }
  }

  /** A query that had to wait has ended. */
  void query(Backend<?, ?> backend, long nanos) {
    if (!listeners.isEmpty()) {
      notifyEach(listener -> listener.query(backend, nanos));
    }
  }

  /** A loader's call has ended. */
  void load(Backend<?, ?> backend, long nanos) {
    if (!listeners.isEmpty()) {
      notifyEach(listener -> listener.load(backend, nanos));
    }
  }

  /** A query has found all its keys in a remote store. */
  void hit(Backend<?, ?> backend, long nanos) {
    if (!listeners.isEmpty()) {
      notifyEach(listener -> listener.hit(backend, nanos));
    }
  }

  /** A decision has been carried out. */
  void moved(long bytes, long nanos) {
    notifyEach(listener -> listener.moved(bytes, nanos));
  }

  private void notifyEach(Consumer<LatencyListener> what) {
    for (LatencyListener listener : listeners) {
      try {
        what.accept(listener);
      } catch (Throwable e) {
        // A failing listener must not keep the result from the query's own callers.
        log.warn("a listener of latencies failed", e);
      }
    }
  }
}
