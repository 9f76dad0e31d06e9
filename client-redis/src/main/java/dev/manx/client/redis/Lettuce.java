/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.timer.Timer;
import dev.manx.client.timer.TimerThreads;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;

/** Threads for all connections of this process to Redis, started at first use; daemons. */
final class Lettuce {
  private static final ClientResources RESOURCES =
      DefaultClientResources.builder().ioThreadPoolSize(2).computationThreadPoolSize(2).build();
  private static final Timer TIMER = new TimerThreads("manx-redis-timer");

  private Lettuce() {}

  /** Two threads for network and two for computation. */
  static ClientResources resources() {
    return RESOURCES;
  }

  /** When to connect again. */
  static Timer timer() {
    return TIMER;
  }
}
