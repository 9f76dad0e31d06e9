/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * Carries context of a query's caller, such as a logging context, to the loader and to the
 * callbacks of the query's future, on any thread. Thread-safe.
 *
 * <p>A load that several queries wait for has the context of the first; the callbacks of each query
 * have the context of its own caller. A background refresh has no context. An exception of a
 * carrier is logged, and the query continues without that context. Other jars add carriers with
 * service files for this interface, with one instance for each cache.
 */
@FunctionalInterface
public interface Carrier {
  /**
   * The current thread's context. Called on the application's thread when a query has to wait; hits
   * are not affected.
   *
   * @return null to apply nothing: loader and callbacks have the values of the thread that runs
   *     them, which the load of another query may have set. If that matters, return a context that
   *     clears these values
   */
  Carried capture();

  /** The context of one query. It may be applied to several threads at once. */
  @FunctionalInterface
  interface Carried {
    /** Applies the context to the current thread, on which a loader or a callback is to run. */
    Scope enter();
  }
}
