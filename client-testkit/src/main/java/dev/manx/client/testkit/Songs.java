/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.invalidation.KeyText;
import dev.manx.client.store.Sizers;
import dev.manx.policy.config.ConfigNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Servers of one application that cache a database's songs and notify each other of changes. */
public final class Songs {
  private Songs() {}

  /**
   * A server's cache.
   *
   * @param channel the settings that name the channel of the invalidations, as YAML
   */
  public static FanoutCache cache(String channel) {
    return FanoutCache.builder()
        .configure(
            ConfigNode.parse(
                "settings",
                "{ capacity: 4MiB, invalidations: { "
                    + channel
                    + ", application: shop, timeout: 5s } }"))
        .drivenByHost()
        .open();
  }

  /** A backend that reads a database; missing keys have the value "none". */
  public static BackendSpec<Integer, String> of(Map<Integer, String> database) {
    return BackendSpec.of(
            "songs",
            Sizers.of(Sizers::number, Sizers::text),
            (List<Integer> keys) -> {
              Map<Integer, String> found = new HashMap<>();
              keys.forEach(key -> found.put(key, database.getOrDefault(key, "none")));
              return CompletableFuture.completedFuture(found);
            })
        .with(KeyText.INTEGER);
  }

  /** Waits until two servers are connected and know each other. */
  public static void untilTheyKnowEachOther(FanoutCache one, FanoutCache two)
      throws InterruptedException {
    until(() -> one.stats().invalidations().connected() && two.stats().invalidations().connected());
    until(
        () -> one.stats().invalidations().peers() == 1 && two.stats().invalidations().peers() == 1);
  }

  /** Waits for a condition; the test's time-out bounds the wait. */
  public static void until(BooleanSupplier condition) throws InterruptedException {
    while (!condition.getAsBoolean()) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  /** The value of one key. */
  public static String ask(FanoutCache cache, Backend<Integer, String> backend, int key) {
    try (FanoutRequest request = cache.request()) {
      return request.queryOne(backend, key).join();
    }
  }
}
