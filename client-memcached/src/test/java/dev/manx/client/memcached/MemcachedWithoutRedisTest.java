/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static dev.manx.client.testkit.Songs.ask;
import static dev.manx.client.testkit.Songs.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.FanoutCache;
import dev.manx.client.exchange.ExchangeSettings;
import dev.manx.client.exchange.StatisticsServer;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.LevelContract;
import dev.manx.client.testkit.Needs;
import dev.manx.client.testkit.Songs;
import dev.manx.policy.config.ConfigNode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Servers that share a memcached and send each other changes through the statistics server. */
@Tag("engines")
@Timeout(120)
class MemcachedWithoutRedisTest {
  private final Map<Integer, String> database = new ConcurrentHashMap<>();

  @BeforeEach
  void needsMemcached() {
    Needs.server(CacheServer.Kind.MEMCACHED);
  }

  private static FanoutCache cache(CacheServer level, StatisticsServer statistics) {
    return FanoutCache.builder()
        .configure(
            ConfigNode.parse(
                "settings",
                "{ capacity: 4MiB, second-level: { memcached: \""
                    + MemcachedLevelContract.text(level.address())
                    + "\", application: shop, timeout: 5s }, invalidations: { statistics: \""
                    + "http://127.0.0.1:"
                    + statistics.address().getPort()
                    + "\", application: shop, timeout: 5s, interval: 10ms } }"))
        .drivenByHost()
        .open();
  }

  private Backend<Integer, String> songs(FanoutCache of) {
    return of.add(Songs.of(database).with(LevelContract.TEXT));
  }

  private static String inHeap(Backend<Integer, String> songs, int key) {
    return songs.getIfPresent(key).toCompletableFuture().join();
  }

  @Test
  void aKeyThatOneServerInvalidatesIsReadAgainByTheOther() throws Exception {
    ExchangeSettings listens =
        ExchangeSettings.of(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0), null);
    try (CacheServer level = CacheServer.start(CacheServer.Kind.MEMCACHED, 64 << 20);
        StatisticsServer statistics = StatisticsServer.start(listens);
        FanoutCache one = cache(level, statistics);
        FanoutCache two = cache(level, statistics)) {
      Backend<Integer, String> songsOfOne = songs(one);
      Backend<Integer, String> songsOfTwo = songs(two);
      Songs.untilTheyKnowEachOther(one, two);
      database.put(1, "old");
      // Entries cached before they met are removed.
      until(
          () -> {
            ask(one, songsOfOne, 1);
            ask(two, songsOfTwo, 1);
            return inHeap(songsOfOne, 1) != null && inHeap(songsOfTwo, 1) != null;
          });
      assertThat(ask(two, songsOfTwo, 1)).isEqualTo("old");
      database.put(1, "new");
      songsOfOne.invalidate(List.of(1)).toCompletableFuture().join();
      until(() -> inHeap(songsOfTwo, 1) == null);
      assertThat(ask(two, songsOfTwo, 1)).isEqualTo("new");
      assertThat(ask(one, songsOfOne, 1)).isEqualTo("new");
    }
  }
}
