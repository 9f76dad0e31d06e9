/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.timer.Timer;
import dev.manx.client.timer.TimerThreads;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;

/** Threads for all remote shares of this process, made at first use; they are daemons. */
final class SharedResources {
  private static final Timer TIMER = new TimerThreads("manx-store-timer");

  private static final class Lettuce {
    static final ClientResources RESOURCES =
        DefaultClientResources.builder().ioThreadPoolSize(2).computationThreadPoolSize(2).build();
  }

  private SharedResources() {}

  /** Two threads for network and two for computation. */
  static ClientResources get() {
    return Lettuce.RESOURCES;
  }

  /** Time-outs of operations. */
  static Timer timer() {
    return TIMER;
  }
}
