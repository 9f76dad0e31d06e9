/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * Carries what belongs to the caller of a query, such as a logging context, to the loader, on
 * whichever thread that runs. Any thread may call it.
 *
 * <p>A load that several queries wait for has the context of the first. A refresh ahead of time has
 * none. A carrier that throws is logged; the query goes on without what it carries. Other jars add
 * carriers by service files for this interface, with one instance for each cache.
 */
@FunctionalInterface
public interface Carrier {
  /**
   * What the current thread has to carry, or null for nothing. Called where the application calls a
   * query, if that has to wait; hits are not affected.
   */
  Carried capture();

  /** What one query carries. Its load may be called on several threads at once. */
  @FunctionalInterface
  interface Carried {
    /** Gives it to the current thread, on which a loader is about to be called. */
    Scope enter();
  }
}
