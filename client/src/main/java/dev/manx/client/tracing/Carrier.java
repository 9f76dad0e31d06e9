/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * Carries context of a query's caller, such as a logging context, to the loader, on any thread.
 * Thread-safe.
 *
 * <p>A load that several queries wait for has the context of the first. A background refresh has
 * none. An exception of a carrier is logged, and the query continues without that context. Other
 * jars add carriers with service files for this interface, with one instance for each cache.
 */
@FunctionalInterface
public interface Carrier {
  /**
   * The current thread's context, or null for none. Called on the application's thread when a query
   * has to wait; hits are not affected.
   */
  Carried capture();

  /** The context of one query. Its load may be called on several threads at once. */
  @FunctionalInterface
  interface Carried {
    /** Applies the context to the current thread, on which a loader is about to be called. */
    Scope enter();
  }
}
