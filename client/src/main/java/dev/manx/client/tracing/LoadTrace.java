/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/** One load: a look into the second level, if there is one, and a call of the backend's loader. */
public interface LoadTrace {
  /** The loader is about to be called on the current thread; or its code, on one of a pool. */
  Scope enter();

  /** The load has ended; called once, before those who wait for it have its answer. */
  void ended(LoadEnd how);
}
