/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.redis;

import dev.manx.client.store.remote.Shared;
import dev.manx.client.timer.TimerThreads;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.DefaultClientResources;
import io.lettuce.core.resource.Delay;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * This process's threads for connections to Redis: two for network and two for computation of each
 * kind. They are daemons, start at first use, and end with the last user.
 */
final class Lettuce {
  /** The threads of all stores and second levels. */
  static final Shared<ClientResources> STORES = resources();

  /**
   * The threads of all channels; separate, so that messages do not wait for callbacks of store
   * responses.
   */
  static final Shared<ClientResources> CHANNELS = resources();

  /** The timer for reconnecting channels. */
  static final Shared<TimerThreads> TIMER =
      new Shared<>(() -> new TimerThreads("manx-redis-timer"), TimerThreads::close);

  /** The longest wait before a lost connection is tried again; lettuce's own default is 30 s. */
  static final Duration MOST_RECONNECT_DELAY = Duration.ofSeconds(2);

  private Lettuce() {}

  private static Shared<ClientResources> resources() {
    return new Shared<>(
        () ->
            DefaultClientResources.builder()
                .ioThreadPoolSize(2)
                .computationThreadPoolSize(2)
                .reconnectDelay(
                    // Servers that lost the same Redis do not come back all at once.
                    Delay.equalJitter(
                        Duration.ZERO, MOST_RECONNECT_DELAY, 2, TimeUnit.MILLISECONDS))
                .build(),
        resources -> {
          var unused = resources.shutdown(0, 1, TimeUnit.SECONDS);
        });
  }
}
