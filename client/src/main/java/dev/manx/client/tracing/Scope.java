/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/**
 * Context of a thread until it is closed, on the same thread; scopes are closed in reverse order.
 */
@FunctionalInterface
public interface Scope extends AutoCloseable {
  /** Restores the thread's previous context. */
  @Override
  void close();
}
