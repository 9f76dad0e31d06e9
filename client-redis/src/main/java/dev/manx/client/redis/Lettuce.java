/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.remote.Shared;
import dev.manx.client.timer.TimerThreads;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import java.util.concurrent.TimeUnit;

/**
 * Threads for connections of this process to Redis: two for network and two for computation of each
 * kind. They are daemons, started at first use, and end with the last user.
 */
final class Lettuce {
  /** Of all stores and second levels. */
  static final Shared<ClientResources> STORES = resources();

  /** Of all channels, whose messages must not wait for what a store's answers set off. */
  static final Shared<ClientResources> CHANNELS = resources();

  /** When channels connect again. */
  static final Shared<TimerThreads> TIMER =
      new Shared<>(() -> new TimerThreads("manx-redis-timer"), TimerThreads::close);

  private Lettuce() {}

  private static Shared<ClientResources> resources() {
    return new Shared<>(
        () ->
            DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .build(),
        resources -> {
          var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
        });
  }
}
