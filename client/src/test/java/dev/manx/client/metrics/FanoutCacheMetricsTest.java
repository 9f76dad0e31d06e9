/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.Backend;
import dev.manx.client.BackendSpec;
import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutRequest;
import dev.manx.client.ManualClock;
import dev.manx.client.store.Sizers;
import dev.manx.shares.CacheStrategy;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The metrics of a cache with two backends, one of which is removed. */
// Tests check the counters, often not the answers.
@SuppressWarnings("FutureReturnValueIgnored")
class FanoutCacheMetricsTest {
  private final ManualClock clock = new ManualClock();
  private final MeterRegistry registry = new SimpleMeterRegistry();

  private BackendSpec<Integer, String> spec(String name, Duration takes) {
    return BackendSpec.of(
        name,
        Sizers.of(Sizers::number, Sizers::text),
        keys -> {
          clock.pass(takes);
          return CompletableFuture.completedFuture(Map.of(keys.get(0), "v"));
        });
  }

  private double backend(String meter, String backend) {
    return registry
        .get("manx.cache.backend." + meter)
        .tags("cache", "main", "backend", backend)
        .meters()
        .iterator()
        .next()
        .measure()
        .iterator()
        .next()
        .getValue();
  }

  @Test
  void showsEachBackendAndTheWhole() {
    try (FanoutCache cache =
        FanoutCache.builder().capacity(8 << 20).clock(clock).drivenByHost().open()) {
      Backend<Integer, String> songs = cache.add(spec("songs", Duration.ofMillis(40)));
      new FanoutCacheMetrics(cache, Tags.of("cache", "main")).bindTo(registry);
      Backend<Integer, String> users = cache.add(spec("users", Duration.ofMillis(10)));
      for (int i = 0; i < 4; i++) {
        try (FanoutRequest request = cache.request()) {
          request.query(songs, List.of(i % 2));
          request.query(users, List.of(i % 2));
        }
      }
      cache.request().close();
      cache.tick();

      assertThat(backend("hits", "songs")).isEqualTo(2);
      assertThat(backend("misses", "users")).isEqualTo(2);
      assertThat(backend("hit.ratio", "users")).isEqualTo(0.5);
      assertThat(backend("blocked", "songs")).isEqualTo(4);
      assertThat(backend("not.kept", "songs")).isZero();
      assertThat(backend("too.large", "songs")).isZero();
      assertThat(backend("fixed", "songs")).isZero();
      assertThat(backend("allocated", "songs") + backend("allocated", "users"))
          .isEqualTo(registry.get("manx.cache.capacity").gauge().value());
      assertThat(backend("used", "songs")).isPositive();
      assertThat(backend("loads.stuck", "songs")).isZero();
      assertThat(backend("loads.not.begun", "songs")).isZero();
      assertThat(backend("level.too.large", "songs")).isZero();
      assertThat(registry.get("manx.cache.invalidations.connected").gauge().value()).isZero();
      assertThat(registry.get("manx.cache.invalidations.peers").gauge().value()).isZero();
      assertThat(registry.get("manx.cache.load.threads").gauge().value()).isZero();
      assertThat(registry.get("manx.cache.load.threads.most").gauge().value()).isEqualTo(256);
      assertThat(registry.get("manx.cache.requests").functionCounter().count()).isEqualTo(5);
      assertThat(registry.get("manx.cache.requests.without.queries").functionCounter().count())
          .isEqualTo(1);
      assertThat(registry.get("manx.cache.requests.rejected").functionCounter().count()).isZero();
      assertThat(registry.get("manx.cache.ticks").functionCounter().count()).isEqualTo(1);
      assertThat(
              registry
                  .get("manx.cache.request.latency")
                  .tag("quantile", "0.99")
                  .timeGauge()
                  .value(TimeUnit.MILLISECONDS))
          .isBetween(49.0, 52.0);
      assertThat(
              registry
                  .get("manx.cache.backend.query.latency")
                  .tags("backend", "users", "quantile", "0.99")
                  .timeGauge()
                  .value(TimeUnit.MILLISECONDS))
          .isBetween(9.0, 11.5);

      cache.remove(users);
      assertThat(registry.find("manx.cache.backend.hits").tag("backend", "users").meter()).isNull();
      assertThat(backend("hits", "songs")).isEqualTo(2);
    }
  }

  private double sum(String meter) {
    return registry.get("manx.cache.backend." + meter).meters().stream()
        .mapToDouble(one -> one.measure().iterator().next().getValue())
        .sum();
  }

  /** A dashboard adds up the backends. */
  @Test
  void aStoreOfAllBackendsCountsOnce() {
    try (FanoutCache cache =
        FanoutCache.builder()
            .capacity(8 << 20)
            .clock(clock)
            .drivenByHost()
            .strategy(CacheStrategy.named("cache.shared"))
            .open()) {
      new FanoutCacheMetrics(cache, Tags.of("cache", "main")).bindTo(registry);
      Backend<Integer, String> songs = cache.add(spec("songs", Duration.ofMillis(1)));
      Backend<Integer, String> users = cache.add(spec("users", Duration.ofMillis(1)));
      for (Backend<Integer, String> each : List.of(songs, users)) {
        assertThat(each.put(1, "v")).isCompleted();
        assertThat(each.put(2, "x".repeat(9 << 20))).isCompleted();
      }
      assertThat(sum("allocated")).isEqualTo(8 << 20);
      assertThat(sum("used")).isPositive().isEqualTo(songs.stats().usedBytes());
      assertThat(sum("too.large")).isEqualTo(2);
      assertThat(sum("store.failures")).isZero();
      assertThat(sum("store.emptied")).isZero();
      assertThat(backend("allocated", "(shared)")).isEqualTo(8 << 20);
      assertThat(cache.sharedStore().orElseThrow().tooLarge()).isEqualTo(2);
      cache.remove(songs);
      assertThat(sum("allocated")).isEqualTo(8 << 20);
    }
    assertThat(registry.getMeters()).isEmpty();
  }

  /** Otherwise the meters of the next cache would be those of this one. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aClosedCacheLeavesNoMeter(boolean boundAfterwards) {
    FanoutCache closed = FanoutCache.builder().capacity(8 << 20).drivenByHost().open();
    FanoutCacheMetrics meters =
        new FanoutCacheMetrics(closed, Tags.of("cache", "main")).withHistograms();
    closed.add(spec("songs", Duration.ofMillis(40)));
    if (boundAfterwards) {
      closed.close();
    }
    meters.bindTo(registry);
    closed.close();
    assertThat(registry.getMeters()).isEmpty();

    try (FanoutCache next = FanoutCache.builder().capacity(4 << 20).drivenByHost().open()) {
      new FanoutCacheMetrics(next, Tags.of("cache", "main")).bindTo(registry);
      assertThat(registry.get("manx.cache.capacity").gauge().value()).isEqualTo(4 << 20);
    }
  }
}
