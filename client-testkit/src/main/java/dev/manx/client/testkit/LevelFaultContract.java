/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import dev.manx.client.Backend;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutCacheBuilder;
import dev.manx.client.store.LruStore;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;

/**
 * The guarantees to an application of a second level whose servers fail, on real servers. A
 * subclass starts the servers, makes them fail, and connects caches to them.
 */
public abstract class LevelFaultContract extends FaultContract {
  /** The settings of the kind, as YAML, without application and time-out. */
  protected abstract String address();

  @Override
  final FanoutCacheBuilder builder(Duration timeout) {
    String level = address() + ", application: shop, timeout: " + timeout.toMillis() + "ms";
    return FanoutCache.builder()
        .configure(
            ConfigNode.parse("settings", "{ capacity: 8MiB, second-level: { " + level + " } }"))
        .stores(LruStore.factory());
  }

  /** More than the heap holds: each query looks into the second level. */
  @Override
  final long entryBytes() {
    return 1L << 30;
  }

  @Override
  final long hits(Backend<Integer, String> songs) {
    return songs.stats().level().hits();
  }

  @Override
  final boolean isSettled(Backend<Integer, String> songs) {
    return songs.stats().level().unconfirmed() == 0;
  }

  /** A new application server. */
  @Override
  final Backend<Integer, String> reader(Backend<Integer, String> songs) throws Exception {
    return open();
  }
}
