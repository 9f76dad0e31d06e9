/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/** One load: a look-up in the second level, if configured, and a call of the backend's loader. */
public interface LoadTrace {
  /** The loader, or its code on a pool's thread, is about to be called on the current thread. */
  Scope enter();

  /** The load has ended; called once, before the waiting queries receive its answer. */
  void ended(LoadEnd how);
}
