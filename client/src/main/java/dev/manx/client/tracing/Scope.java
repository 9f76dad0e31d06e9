/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.tracing;

/** What a thread has until it is closed, on the same thread; scopes are closed in reverse order. */
@FunctionalInterface
public interface Scope extends AutoCloseable {
  /** Gives the thread back what it had before. */
  @Override
  void close();
}
