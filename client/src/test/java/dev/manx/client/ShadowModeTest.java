/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.metrics.FanoutCacheMetrics;
import dev.manx.client.store.Sizers;
import dev.manx.policy.config.ConfigNode;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A controller that decides and reports, but moves no share. */
@Timeout(60)
@Tag("slow")
class ShadowModeTest {
  private final ManualClock clock = new ManualClock();

  private BackendSpec<Integer, String> spec(String name, long millis) {
    return BackendSpec.of(
        name,
        Sizers.of(Sizers::number, Sizers::text),
        keys -> {
          clock.pass(Duration.ofMillis(millis));
          return CompletableFuture.completedFuture(Map.of(keys.get(0), "x".repeat(20_000)));
        });
  }

  private FanoutCache open(String policy, boolean shadow) {
    return FanoutCache.builder()
        .configure(
            ConfigNode.parse(
                "settings",
                "{ capacity: 8MiB, shadow: "
                    + shadow
                    + ", policy: { policy: "
                    + policy
                    + ", enough: 1, floor: 64KiB, page: 4KiB } }"))
        .clock(clock)
        .drivenByHost()
        .open();
  }

  private void use(FanoutCache cache) {
    Backend<Integer, String> slow = cache.add(spec("slow", 50));
    Backend<Integer, String> fast = cache.add(spec("fast", 1));
    for (int i = 0; i < 2_000; i++) {
      clock.pass(Duration.ofMillis(20));
      try (FanoutRequest request = cache.request()) {
        request.queryOne(slow, i % 400);
        request.queryOne(fast, i % 400);
      }
      if (i % 100 == 0) {
        cache.tick();
      }
    }
  }

  @Test
  void theSharesStayAndTheReportSaysWhereTheyWouldGo() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    try (FanoutCache cache = open("cache.robinhood", true)) {
      new FanoutCacheMetrics(cache, Tags.empty()).bindTo(registry);
      use(cache);
      assertThat(cache.backendStats().values())
          .allMatch(stats -> stats.allocatedBytes() == 4 << 20);
      Map<String, Long> wanted = cache.stats().loop().policy().wanted();
      assertThat(wanted.get("slow")).isGreaterThan((4 << 20) + (256 << 10));
      assertThat(wanted.get("slow") + wanted.get("fast")).isBetween((8L << 20) - 2, (8L << 20) + 2);
      assertThat(registry.get("manx.cache.backend.wanted").tag("backend", "slow").gauge().value())
          .isEqualTo(wanted.get("slow").doubleValue());
    }
  }

  @Test
  void outOfTheShadowTheyMoveAndTheGuardReportsWhatItMeasured() {
    try (FanoutCache cache = open("cache.guarded", false)) {
      use(cache);
      assertThat(cache.backendStats().get("slow").allocatedBytes()).isGreaterThan(4 << 20);
      assertThat(cache.stats().loop().policy().wanted()).isEmpty();
      assertThat(cache.stats().loop().policy().loss()).isNotNaN();
      assertThat(cache.stats().loop().policy().resting()).isFalse();
    }
  }
}
