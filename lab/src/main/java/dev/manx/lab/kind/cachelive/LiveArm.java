/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.client.measure.Measures;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How one arm divides its cache.
 *
 * @param strategy the policy
 * @param leastGain of the cache's settings; 0: the policy as published
 * @param shares sizes in bytes by backend that are given and stay; empty: the policy's
 */
record LiveArm(CacheStrategy strategy, double leastGain, Map<String, Long> shares) {
  LiveArm {
    shares = Map.copyOf(shares);
  }

  /**
   * Reads one.
   *
   * @param runs whether it is chosen
   */
  static LiveArm read(ConfigNode node, LiveSettings settings, boolean runs) {
    ConfigNode cache = node.at("cache");
    CacheStrategy strategy = CacheStrategy.of(cache, () -> 1);
    if (runs) {
      Measures.instead(strategy.newPolicy(), settings.server().isEmpty())
          .ifPresent(
              instead -> {
                throw cache.refuse(instead);
              });
      refuseIfTooSmall(cache, strategy, settings);
    }
    double leastGain = node.find("least-gain").map(n -> n.fraction(0, 1)).orElse(0.0);
    return new LiveArm(
        strategy,
        leastGain,
        node.find("shares").map(n -> shares(n, strategy, settings)).orElse(Map.of()));
  }

  private static void refuseIfTooSmall(
      ConfigNode cache, CacheStrategy strategy, LiveSettings settings) {
    long least = settings.leastShareBytes() * settings.backends().size();
    if (strategy.newPolicy().partitions() && least > settings.capacityBytes()) {
      throw cache.refuse("a cache.capacity of at least " + least + " bytes for this store");
    }
  }

  private static Map<String, Long> shares(
      ConfigNode node, CacheStrategy strategy, LiveSettings settings) {
    if (!strategy.name().equals("cache.static")) {
      throw node.refuse("shares only with cache: { policy: cache.static, learn: 0s }");
    }
    Map<String, Long> shares = new LinkedHashMap<>();
    long sum = 0;
    for (BackendPlan plan : settings.backends()) {
      long bytes = node.at(plan.name()).bytes(settings.leastShareBytes(), settings.capacityBytes());
      shares.put(plan.name(), bytes);
      sum += bytes;
    }
    node.noOtherKeys();
    if (sum != settings.capacityBytes()) {
      throw node.refuse("sizes whose sum is the cache's capacity, not " + sum + " bytes");
    }
    return shares;
  }

  /** As in a file. */
  Map<String, Object> written() {
    Map<String, Object> written = ordered("cache", strategy.written());
    if (leastGain > 0) {
      written.put("least-gain", leastGain);
    }
    if (!shares.isEmpty()) {
      Map<String, Object> sizes = new LinkedHashMap<>();
      shares.forEach((name, bytes) -> sizes.put(name, bytes + "B"));
      written.put("shares", sizes);
    }
    return written;
  }
}
