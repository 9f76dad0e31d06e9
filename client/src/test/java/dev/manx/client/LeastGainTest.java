/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.config.ConfigNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A slow backend whose keys never repeat, with real shares, on a manual clock. */
@Timeout(120)
class LeastGainTest {
  private static final int VALUE_BYTES = 4_000;

  private final ManualClock clock = new ManualClock();

  private Loader<Integer, String> taking(long millis) {
    return keys -> {
      clock.pass(Duration.ofMillis(millis));
      Map<Integer, String> values = new HashMap<>();
      keys.forEach(key -> values.put(key, "v"));
      return CompletableFuture.completedFuture(values);
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"least-gain: 0%, ", "least-gain: 5%, ", ""})
  void anUncacheableBackendTakesTheSpaceOfOthersOnlyWithThePolicyAsPublished(String leastGain) {
    boolean veto = !leastGain.contains("0%");
    String settings =
        "{ capacity: 12MiB, "
            + leastGain
            + "policy: { policy: cache.robinhood, interval: 1s, tax: 4%, enough: 1,"
            + " floor: 256KiB, page: 16KiB } }";
    try (FanoutCache cache =
        FanoutCache.builder()
            .configure(ConfigNode.parse("settings", settings))
            .clock(clock)
            .drivenByHost()
            .open()) {
      List<Backend<Integer, String>> cacheable = new ArrayList<>();
      for (String name : List.of("a", "b")) {
        cacheable.add(cache.add(BackendSpec.of(name, (k, v) -> VALUE_BYTES, taking(1))));
      }
      Backend<Integer, String> hopeless =
          cache.add(BackendSpec.of("hopeless", (k, v) -> VALUE_BYTES, taking(50)));
      SplittableRandom random = new SplittableRandom(1);
      int never = 0;
      for (int tick = 0; tick < 60; tick++) {
        for (int i = 0; i < 200; i++) {
          try (FanoutRequest request = cache.request()) {
            for (Backend<Integer, String> backend : cacheable) {
              int key = (int) (3_000 * Math.pow(random.nextDouble(), 3));
              assertThat(request.queryOne(backend, key)).isCompleted();
            }
            assertThat(request.queryOne(hopeless, never++)).isCompleted();
          }
        }
        cache.tick();
      }
      double share = hopeless.stats().allocatedBytes() / (double) (12 << 20);
      if (veto) {
        assertThat(share).isLessThan(0.45);
        assertThat(cacheable.get(0).stats().hitRatio()).isGreaterThan(0.5);
      } else {
        assertThat(share).isGreaterThan(0.6);
      }
    }
  }
}
