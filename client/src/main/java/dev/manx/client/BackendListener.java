/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

/** Follows the backends that a cache has. Called with the cache's lock held: it does not wait. */
public interface BackendListener {
  /** A backend is there. */
  void added(Backend<?, ?> backend);

  /** A backend is gone. */
  void removed(Backend<?, ?> backend);
}
