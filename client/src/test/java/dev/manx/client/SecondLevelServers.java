/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static dev.manx.client.Waiting.until;
import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.client.invalidation.KeyText;
import dev.manx.client.level.FakeLevel;
import dev.manx.client.level.LevelSettings;
import dev.manx.client.level.SecondLevel;
import dev.manx.client.store.Codec;
import dev.manx.client.store.TextCodec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

/** Servers of one application with a shared second level, for a test. */
abstract class SecondLevelServers {
  static final Codec<Integer, String> TEXT = new TextCodec();

  /** One server of the application. */
  static final class Server {
    final Scripted loader = new Scripted();
    FanoutCache cache;
    Backend<Integer, String> songs;

    CompletableFuture<String> ask(int key) {
      FanoutRequest request = cache.request();
      return request.queryOne(songs, key);
    }

    /** The next call of the loader. */
    Scripted.Call call(int number) throws InterruptedException {
      until(() -> loader.calls.size() > number);
      return loader.calls.get(number);
    }

    void loads(int key, String value) throws Exception {
      int before = loader.calls.size();
      CompletableFuture<String> asked = ask(key);
      call(before).answer().complete(Map.of(key, value));
      assertThat(asked.get(20, TimeUnit.SECONDS)).isEqualTo(value);
    }

    String finds(int key) throws Exception {
      int before = loader.calls.size();
      String found = ask(key).get(20, TimeUnit.SECONDS);
      assertThat(loader.calls).as("asked the backend").hasSize(before);
      return found;
    }
  }

  /** Delivers all messages between servers at once. */
  private static final class Channel implements InvalidationChannel {
    private final List<Listener> listeners = new CopyOnWriteArrayList<>();

    @Override
    public void open(Listener listener) {
      listeners.add(listener);
    }

    @Override
    public CompletionStage<Void> publish(byte[] message) {
      listeners.forEach(listener -> listener.received(message));
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close() {}
  }

  final FakeLevel level = new FakeLevel();
  final Channel channel = new Channel();
  final List<Server> servers = new ArrayList<>();

  Server server() {
    return server(Freshness.FOREVER);
  }

  Server server(Freshness freshness) {
    Server server = new Server();
    server.cache =
        FanoutCache.builder()
            .capacity(4 << 20)
            .invalidations(channel)
            .secondLevel(new SecondLevel(level.link(), settings()))
            .drivenByHost()
            .open();
    server.songs = server.cache.add(spec(server.loader, freshness));
    servers.add(server);
    return server;
  }

  static LevelSettings settings() {
    return LevelSettings.of("shop").withTimeout(Duration.ofSeconds(5));
  }

  static BackendSpec<Integer, String> spec(Scripted loader, Freshness freshness) {
    return BackendSpec.<Integer, String>of("songs", (key, value) -> 100, loader)
        .with(TEXT)
        .with(KeyText.INTEGER)
        .with(BackendSettings.DEFAULTS.withFreshness(freshness).withTimeOut(Duration.ofMinutes(1)));
  }

  @AfterEach
  void close() {
    servers.forEach(server -> server.cache.close());
  }

  /** The first look-up of all finds no epoch, and stores nothing. */
  Server warm(int key, String value) throws Exception {
    Server first = server();
    first.loads(0, "begins");
    until(() -> !level.values.isEmpty());
    first.loads(key, value);
    until(() -> first.songs.stats().level().fills() == 1);
    return first;
  }
}
