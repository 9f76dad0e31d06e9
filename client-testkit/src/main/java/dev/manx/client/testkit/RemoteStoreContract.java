/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.client.store.Store;
import dev.manx.client.store.StoreSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The guarantees of every remote store when its server dies, hangs, or comes back as another run. A
 * subclass starts servers and connects to them.
 */
@Tag("contract")
public abstract class RemoteStoreContract extends RemoteStoreFixture {
  /** A share requested while the server is down. */
  private static final long LATER = 12L << 20;

  /** Number of invalidated keys that a store remembers individually. */
  private static final int REMEMBERED = 10_000;

  /** Ports that a test tries. */
  private static final int ATTEMPTS = 5;

  private void missesAndKnowsIt() throws Exception {
    found(
        () -> {
          try {
            assertThat(await(store.getAll(List.of("a")))).isEmpty();
            await(store.putAll(Map.of("b", new byte[10])));
            return store.isDegraded();
          } catch (Exception e) {
            throw new AssertionError("a store harmed a request", e);
          }
        });
    assertThat(store.failures()).isPositive();
    await(store.invalidateAll(List.of("a")));
    assertThatThrownBy(() -> await(store.resize(SHARE / 2))).isInstanceOf(ExecutionException.class);
    assertThat(store.allocatedBytes()).isEqualTo(SHARE);
  }

  @Test
  void aKilledServerIsMissesAndItsSuccessorGetsTheLimit() throws Exception {
    serves("a");
    server.close();
    missesAndKnowsIt();
    assertThatThrownBy(() -> await(store.resize(LATER))).isInstanceOf(ExecutionException.class);
    server = startServer(SERVER, server.address().getPort());
    found(() -> !store.isDegraded());
    assertThat(limitOfServer()).as("it has the limit asked for last").isEqualTo(LATER);
    assertThat(store.allocatedBytes()).isEqualTo(LATER);
    serves("c");
    assertThat(await(store.getAll(List.of("a")))).as("it came back empty").isEmpty();
    resizes(SHARE / 2);
  }

  /** The limit as reported by the server. */
  protected abstract long limitOf(ServerProcess some);

  private long limitOfServer() {
    return limitOf(server);
  }

  @Test
  void aHangingServerDelaysNoRequest() throws Exception {
    serves("a");
    Signals.send("STOP", server.pid());
    try {
      missesAndKnowsIt();
      // Once lost, no operation waits: far more operations than could each take a time-out.
      for (int i = 0; i < 20_000; i++) {
        assertThat(store.getAll(List.of("k" + i)).toCompletableFuture()).isCompleted();
      }
    } finally {
      Signals.send("CONT", server.pid());
    }
    found(() -> !store.isDegraded());
    serves("d");
  }

  @Test
  void aStormOnAServerThatHangsIsBounded() throws Exception {
    serves("a");
    Signals.send("STOP", server.pid());
    try {
      List<CompletionStage<?>> stages = new ArrayList<>();
      for (int i = 0; i < 50_000; i++) {
        stages.add(store.getAll(List.of("k" + i)));
      }
      for (CompletionStage<?> stage : stages) {
        await(stage);
      }
    } finally {
      Signals.send("CONT", server.pid());
    }
    found(() -> !store.isDegraded());
    serves("d");
  }

  @Test
  void aServerThatHangsWhileItIsResizedIsReported() throws Exception {
    Signals.send("STOP", server.pid());
    try {
      assertThatThrownBy(() -> await(store.resize(SHARE / 2)))
          .isInstanceOf(ExecutionException.class);
    } finally {
      Signals.send("CONT", server.pid());
    }
    found(() -> !store.isDegraded());
    resizes(SHARE / 2);
  }

  /** Else a page's worth of invalidations takes longer than a time-out, and is not confirmed. */
  @Test
  void manyKeysTakeNotARoundTripEach() throws Exception {
    store.close();
    Map<String, byte[]> many = new HashMap<>();
    IntStream.range(0, 500).forEach(i -> many.put("many" + i, new byte[10]));
    try (Relay relay = new Relay(server.address())) {
      store = factory(relay.address(), Needs.patient()).open(spec(new Bytes()));
      found(() -> !store.isDegraded());
      relay.delay(Duration.ofMillis(15));
      await(store.invalidateAll(many.keySet()));
      await(store.putAll(many));
      assertThat(await(store.getAll(many.keySet()))).hasSize(500);
      await(store.invalidateAll(many.keySet()));
      assertThat(await(store.getAll(many.keySet()))).isEmpty();
      assertThat(store.failures()).isZero();
      assertThat(store.isDegraded()).isFalse();
      store.close();
    }
  }

  @Test
  void opensWithoutAServerAndFindsItLater() throws Exception {
    IOException last = null;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        opensWithoutAServerAndFindsItLater(freePort());
        return;
      } catch (IOException e) {
        // Another process may have taken the port in the meantime.
        last = e;
      }
    }
    throw last;
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }

  private void opensWithoutAServerAndFindsItLater(int port) throws Exception {
    Store<String, byte[]> early =
        factory(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), Needs.hasty())
            .open(spec(new Bytes()));
    try (ServerProcess late = openLate(early, port)) {
      found(() -> !early.isDegraded());
      found(() -> stays(early, "x"));
      assertThat(late.pid()).isPositive();
    } finally {
      early.close();
    }
  }

  private ServerProcess openLate(Store<String, byte[]> early, int port) throws Exception {
    assertThat(early.isDegraded()).isTrue();
    assertThat(early.allocatedBytes()).isEqualTo(SHARE);
    assertThat(await(early.getAll(List.of("x")))).isEmpty();
    return startServer(SERVER, port);
  }

  private static boolean stays(Store<String, byte[]> some, String key) {
    try {
      await(some.putAll(Map.of(key, new byte[100])));
      return await(some.getAll(List.of(key))).containsKey(key);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void valuesOfAnEarlierStoreAreNotFound() throws Exception {
    serves("a");
    store.close();
    store = open(Needs.patient());
    assertThat(await(store.getAll(List.of("a")))).isEmpty();
  }

  /** Stores a value of another application, bypassing all stores. */
  protected abstract void putForeign(ServerProcess at, String key) throws Exception;

  /** Whether a key of another application still exists. */
  protected abstract boolean hasForeign(ServerProcess at, String key) throws Exception;

  @Test
  void anInstanceOfAnotherApplicationIsRefusedAndLeftAsItIs() throws Exception {
    try (ServerProcess other = startServer(SERVER, 0)) {
      putForeign(other, "precious");
      assertThatThrownBy(
              () -> factory(other.address(), Needs.patient()).open(spec(new Bytes())).close())
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("b1")
          .hasMessageContaining("not Manx's");
      assertThat(hasForeign(other, "precious")).isTrue();
      assertThat(limitOf(other)).as("its limit is as it was").isEqualTo(SERVER);
    }
  }

  @Test
  void aSecondStoreOnTheSameInstanceIsRefusedUntilTheFirstIsClosed() throws Exception {
    waitsPatiently();
    serves("a");
    assertThatThrownBy(() -> open(Needs.patient()).close())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("used by backend b1 of this process");
    assertThat(await(store.getAll(List.of("a")))).containsOnlyKeys("a");
    store.close();
    store = open(Needs.patient());
    assertThat(store.isDegraded()).isFalse();
    serves("b");
  }

  @Test
  void anInvalidationWhileTheServerHangsIsRememberedUntilItIsConfirmed() throws Exception {
    serves("a");
    serves("b");
    Signals.send("STOP", server.pid());
    try {
      await(store.invalidateAll(List.of("a")));
      assertThat(await(store.getAll(List.of("a")))).isEmpty();
    } finally {
      Signals.send("CONT", server.pid());
    }
    found(
        () -> {
          try {
            Map<String, byte[]> seen = await(store.getAll(List.of("a", "b")));
            assertThat(seen).doesNotContainKey("a");
            return seen.containsKey("b");
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
    serves("a");
  }

  @Test
  void theServerItselfForgetsWhatHasExpired() throws Exception {
    waitsPatiently();
    await(store.putAll(Map.of("short", new byte[10]), Duration.ofSeconds(1)));
    await(store.putAll(Map.of("long", new byte[10]), Duration.ofHours(1)));
    found(
        () -> {
          try {
            Map<String, byte[]> seen = await(store.getAll(List.of("short", "long")));
            // On a busy machine a store may answer too late, which makes both keys misses.
            return seen.containsKey("long") && !seen.containsKey("short");
          } catch (Exception e) {
            throw new AssertionError(e);
          }
        });
  }

  @Test
  void moreInvalidationsThanAreRememberedMakeTheStoreBeginAnew() throws Exception {
    serves("a");
    serves("b");
    Signals.send("STOP", server.pid());
    try {
      missesAndKnowsIt();
      for (int i = 0; i <= REMEMBERED / 1_000; i++) {
        int from = i * 1_000;
        await(
            store.invalidateAll(
                IntStream.range(from, from + 1_000).mapToObj(k -> "k" + k).toList()));
      }
    } finally {
      Signals.send("CONT", server.pid());
    }
    found(() -> !store.isDegraded());
    assertThat(await(store.getAll(List.of("a", "b")))).isEmpty();
    serves("c");
  }

  @Test
  void aCodecThatThrowsIsAMiss() throws Exception {
    store.close();
    Store<String, byte[]> faulty =
        factory(server.address(), Needs.patient())
            .open(
                spec(
                    new Bytes() {
                      @Override
                      public String key(String key) {
                        if (key.equals("nokey")) {
                          throw new IllegalStateException("no key");
                        }
                        return super.key(key);
                      }

                      @Override
                      public byte[] decode(String key, byte[] bytes) {
                        if (bytes.length == 13) {
                          throw new IllegalStateException("broken value");
                        }
                        return bytes;
                      }
                    }));
    try {
      await(
          faulty.putAll(
              Map.of(
                  "nokey",
                  new byte[1],
                  "with space",
                  new byte[1],
                  "l".repeat(201),
                  new byte[1],
                  "umlaut-\u00fc",
                  new byte[1],
                  "broken",
                  new byte[13],
                  "fine",
                  new byte[5])));
      assertThat(await(faulty.getAll(List.of("nokey", "with space", "broken", "fine"))))
          .containsOnlyKeys("fine");
      assertThat(faulty.failures()).isEqualTo(4 + 3);
      await(faulty.invalidateAll(List.of("nokey")));
    } finally {
      faulty.close();
    }
  }

  @Test
  void refusesWhatItCannotBe() throws Exception {
    assertThatThrownBy(
            () ->
                factory(server.address(), Needs.patient())
                    .open(
                        new StoreSpec<String, byte[]>("b2", SHARE, (k, v) -> 1, Optional.empty())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("b2");
    assertThatThrownBy(() -> await(store.resize(store.minimumBytes() - 1)))
        .hasMessageContaining("smallest share");
  }
}
