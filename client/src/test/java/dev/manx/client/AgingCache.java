/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.store.Codec;
import dev.manx.client.store.TextCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;

/** A cache whose entries age on a manual clock. */
abstract class AgingCache {
  static final Freshness MINUTE = Freshness.timeToLive(Duration.ofMinutes(1));

  static final Codec<Integer, String> BYTES = new TextCodec();

  final ManualClock clock = new ManualClock();
  final Replies songs = new Replies();
  FanoutCache cache;

  @AfterEach
  void close() {
    cache.close();
  }

  Backend<Integer, String> open(boolean local, BackendSettings settings) {
    return open(local, settings, null);
  }

  Backend<Integer, String> open(
      boolean local, BackendSettings settings, Expiry<Integer, String> expiry) {
    FanoutCacheBuilder builder = FanoutCache.builder().drivenByHost().clock(clock);
    if (!local) {
      builder.stores(Elsewhere.factory(Runnable::run));
    }
    cache = builder.open();
    BackendSpec<Integer, String> spec =
        BackendSpec.<Integer, String>of("songs", (k, v) -> 10, songs).with(settings).with(BYTES);
    return cache.add(expiry == null ? spec : spec.with(expiry));
  }

  static BackendSettings with(Freshness freshness) {
    return BackendSettings.DEFAULTS.withTimeOut(Duration.ofMinutes(1)).withFreshness(freshness);
  }

  CompletableFuture<String> ask(Backend<Integer, String> backend, int key) {
    return cache.request().queryOne(backend, key);
  }

  CompletableFuture<Map<Integer, String>> ask(
      Backend<Integer, String> backend, List<Integer> keys) {
    return cache.request().query(backend, keys);
  }

  static List<Integer> keys(int count) {
    return IntStream.range(0, count).boxed().toList();
  }

  static <T> T get(CompletableFuture<T> answer) throws Exception {
    return answer.get(20, TimeUnit.SECONDS);
  }
}
