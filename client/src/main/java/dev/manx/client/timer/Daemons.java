/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Makes the library's threads. They are daemons, so they do not keep the application alive. */
public final class Daemons {
  /*
   * Any request may start a thread, which then works for all requests: it must not keep values
   * inherited from that request, such as its user or another application's class loader.
   */

  private Daemons() {}

  /**
   * Creates threads called {@code name-1}, {@code name-2} and so on. They have the context class
   * loader of the thread that calls this method, and inherit no thread-local values.
   */
  public static ThreadFactory named(String name) {
    AtomicInteger made = new AtomicInteger();
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return work -> daemon(work, name + "-" + made.incrementAndGet(), context);
  }

  /**
   * Creates threads like {@link #named}, but for a single thread at a time: all are called {@code
   * name}.
   */
  public static ThreadFactory single(String name) {
    ClassLoader context = Thread.currentThread().getContextClassLoader();
    return work -> daemon(work, name, context);
  }

  private static Thread daemon(Runnable work, String name, ClassLoader context) {
    Thread thread = new Thread(null, work, name, 0, false);
    thread.setContextClassLoader(context);
    thread.setDaemon(true);
    return thread;
  }
}
