/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the library's threads. They are daemons, so they do not keep the application alive. */
final class Daemons {
  private Daemons() {}

  /**
   * Creates threads called {@code name-1}, {@code name-2} and so on. They have the context class
   * loader of the thread that calls this method.
   */
  static ThreadFactory named(String name) {
    /* Any request may start a thread, which then works for all of them: it must not keep what it
     * would inherit from that request, such as its user or another application's class loader. */
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    AtomicInteger made = new AtomicInteger();
    return work -> {
      Thread thread = new Thread(null, work, name + "-" + made.incrementAndGet(), 0, false);
      thread.setContextClassLoader(context);
      thread.setDaemon(true);
      return thread;
    };
  }
}
