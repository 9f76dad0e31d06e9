/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/**
 * Observes the backends of a cache. Called while the cache's lock is held, so it must not block.
 */
public interface BackendListener {
  /** A backend was added. */
  void added(Backend<?, ?> backend);

  /** A backend was removed. */
  void removed(Backend<?, ?> backend);

  /**
   * The cache was closed, and its remaining backends with it, which are not reported as removed.
   */
  default void closed() {}
}
