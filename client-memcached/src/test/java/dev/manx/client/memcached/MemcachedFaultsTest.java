/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.memcached;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.manx.client.store.StoreFactory;
import dev.manx.client.store.remote.RemoteSettings;
import dev.manx.client.store.server.CacheServer;
import dev.manx.client.testkit.RemoteStoreContract;
import dev.manx.client.testkit.ServerProcess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("engines")
class MemcachedFaultsTest extends RemoteStoreContract {
  @Override
  protected ServerProcess startServer(long bytes, int port) throws IOException {
    return ServerProcess.start(CacheServer.Kind.MEMCACHED, bytes, port);
  }

  @Override
  protected StoreFactory factory(InetSocketAddress address, RemoteSettings settings) {
    return MemcachedStore.factory(backend -> address, settings);
  }

  private MemcachedAdmin admin() {
    return admin(server());
  }

  private static MemcachedAdmin admin(ServerProcess some) {
    return new MemcachedAdmin(some.address(), Duration.ofSeconds(5));
  }

  @Override
  protected void putForeign(ServerProcess at, String key) throws IOException {
    try (MemcachedAdmin admin = admin(at)) {
      assertThat(admin.ask(String.join("\r\n", "set " + key + " 0 0 1", "x"))).isEqualTo("STORED");
    }
  }

  @Override
  protected boolean hasForeign(ServerProcess at, String key) throws IOException {
    try (MemcachedAdmin admin = admin(at)) {
      return admin.ask("get " + key).startsWith("VALUE");
    }
  }

  @Override
  protected long limitOf(ServerProcess some) {
    try (MemcachedAdmin admin = admin(some)) {
      return MemcachedAdmin.number(admin.stats(""), "limit_maxbytes");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void fill(int entries, int bytes) throws Exception {
    for (int i = 0; i < entries; i++) {
      await(store().putAll(Map.of("f" + bytes + "-" + i, new byte[bytes])));
    }
  }

  @Test
  void shrinksThoughAnotherKeepsThePageMoverBusy() throws Exception {
    waitsPatiently();
    fill(8_000, 3_000);
    AtomicBoolean done = new AtomicBoolean();
    AtomicInteger busy = new AtomicInteger();
    Thread rival =
        new Thread(
            () -> {
              try (MemcachedAdmin admin = admin()) {
                while (!done.get()) {
                  // From any class with pages to a class that does not need them.
                  String answer = admin.ask("slabs reassign -1 1");
                  busy.addAndGet(answer.startsWith("BUSY") ? 1 : 0);
                }
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    rival.start();
    try {
      resizes(SHARE / 2);
    } finally {
      done.set(true);
      rival.join();
    }
    try (MemcachedAdmin admin = admin()) {
      assertThat(MemcachedAdmin.number(admin.stats("slabs"), "total_malloced"))
          .isLessThanOrEqualTo(SHARE / 2 + (2L << 20));
    }
    assumeThat(busy.get()).as("times that the mover was busy").isPositive();
  }

  @Test
  void aResizeThatIsNotFinishedSaysWhatIsStillHeld() throws Exception {
    waitsPatiently();
    fill(8_000, 3_000);
    try (MemcachedAdmin admin = admin()) {
      assertThat(admin.ask("cache_memlimit 8")).isEqualTo("OK");
      long held = new SlabPages(admin).shrink(8L << 20, System.nanoTime() - 1);
      assertThat(held).isBetween((8L << 20) + 1, SHARE + (2L << 20));
    }
  }

  @Test
  void aFullServerTakesObjectsOfAnotherSizeInTheEnd() throws Exception {
    waitsPatiently();
    fill(8_000, 3_000);
    // A class without a page gets the first one; automove adds more.
    found(
        () -> {
          try {
            await(store().putAll(Map.of("other", new byte[60_000])));
            return await(store().getAll(List.of("other"))).containsKey("other");
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void aValueLargerThanAnItemMayBeIsNotKeptNorTheOneBefore() throws Exception {
    waitsPatiently();
    await(store().putAll(Map.of("k", new byte[10])));
    await(store().putAll(Map.of("k", new byte[(1 << 20) + 10], "other", new byte[10])));
    assertThat(await(store().getAll(List.of("k", "other")))).containsOnlyKeys("other");
    assertThat(store().failures()).isEqualTo(1);
    assertThat(store().isDegraded()).isFalse();
  }

  @Test
  void refusesLessThanMemcachedTakes() throws Exception {
    waitsPatiently();
    try (MemcachedAdmin admin = admin()) {
      assertThat(admin.ask("cache_memlimit 7")).startsWith("MEMLIMIT_TOO_SMALL");
    }
    assertThat(store().minimumBytes()).isEqualTo(8L << 20);
    assertThat(await(store().resize((8L << 20) + 12_345))).isEqualTo(8L << 20);
  }
}
