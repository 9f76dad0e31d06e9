/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A resource that several stores or channels of a process share, for example threads. It exists
 * from the first user to the last, so that an application that closes its caches retains nothing.
 * Thread-safe.
 */
public final class Shared<T> {
  private final Supplier<T> opens;
  private final Consumer<T> closes;

  // Guarded by this.
  private T value;
  private int users;

  /**
   * @param opens creates the resource for the first user, also after it was closed
   * @param closes closes the resource after the last user; does not block
   */
  public Shared(Supplier<T> opens, Consumer<T> closes) {
    this.opens = opens;
    this.closes = closes;
  }

  /** Adds a user, which must call {@link #release} once. */
  public synchronized T acquire() {
    if (users == 0) {
      value = opens.get();
    }
    users++;
    return value;
  }

  /** Removes a user. */
  public synchronized void release() {
    users--;
    if (users == 0) {
      T last = value;
      value = null;
      closes.accept(last);
    }
  }
}
