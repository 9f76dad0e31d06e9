/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The first contacts of stores that are opened one after the other, with an instance each: while
 * one that was waited for is missing, later stores are opened without waiting. Thread-safe.
 */
public final class FirstContacts {
  private final AtomicInteger missing = new AtomicInteger();

  /** Creates the contacts for the stores of one factory; no instance is missing yet. */
  public FirstContacts() {}

  boolean missing() {
    return missing.get() > 0;
  }

  void lost() {
    missing.incrementAndGet();
  }

  /** The missing instance was found, or its store was closed; called once after {@link #lost}. */
  void found() {
    missing.decrementAndGet();
  }
}
