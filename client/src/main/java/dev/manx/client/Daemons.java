/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names the library's threads. They are daemons, so they do not keep the application alive. */
final class Daemons {
  private Daemons() {}

  /** Creates threads called {@code name-1}, {@code name-2} and so on. */
  static ThreadFactory named(String name) {
    AtomicInteger made = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(work, name + "-" + made.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
