/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What several stores or channels of a process use together, for example threads: it is there from
 * the first user to the last, so that an application that closes its caches keeps nothing of it.
 * Any thread may use it.
 */
public final class Shared<T> {
  private final Supplier<T> opens;
  private final Consumer<T> closes;

  // Guarded by this.
  private T value;
  private int users;

  /**
   * @param opens makes it for the first user, and again for the first one after a last one
   * @param closes ends it after the last user; does not block
   */
  public Shared(Supplier<T> opens, Consumer<T> closes) {
    this.opens = opens;
    this.closes = closes;
  }

  /** One more user, who calls {@link #release} once. */
  public synchronized T acquire() {
    if (users == 0) {
      value = opens.get();
    }
    users++;
    return value;
  }

  /** One user less. */
  public synchronized void release() {
    users--;
    if (users == 0) {
      T last = value;
      value = null;
      closes.accept(last);
    }
  }
}
