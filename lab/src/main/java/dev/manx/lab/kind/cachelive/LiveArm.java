/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.client.measure.Measures;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.lab.settings.Document;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Scalar;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.shares.CacheStrategy;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An arm's division of its cache.
 *
 * @param strategy the policy
 * @param leastGain of the cache's settings; 0: the policy as published
 * @param shares fixed sizes in bytes by backend; empty: the policy decides
 */
record LiveArm(CacheStrategy strategy, double leastGain, Map<String, Long> shares) {
  LiveArm {
    shares = Map.copyOf(shares);
  }

  static final Section SECTION =
      Section.of(
          CommonSettings.DESCRIPTION,
          Key.required(
              "cache",
              new Document("cache", "a share policy, or a mapping with its settings"),
              "division of the cache"),
          Key.optional(
              Setting.share(
                  "least-gain",
                  0,
                  0,
                  1,
                  "`least-gain` of the cache's settings; 0: the policy as published")),
          Key.optional(
              "shares",
              new Named(
                  ".+",
                  "names of backends",
                  new Scalar(Setting.size("shares", "0", "0", "64GiB", "of the cache"))),
              "fixed sizes by backend; with cache: { policy: cache.static, learn: 0s }"));

  /**
   * Reads an arm, and adds derived values.
   *
   * @param runs whether it is to run
   */
  static LiveArm read(Part part, LiveSettings settings, boolean runs) {
    ConfigNode cache = part.node("cache");
    CacheStrategy strategy = CacheStrategy.of(cache, () -> 1);
    if (runs) {
      Measures.instead(strategy.newPolicy(), settings.server().isEmpty())
          .ifPresent(
              instead -> {
                throw cache.refuse(instead);
              });
      refuseIfTooSmall(cache, strategy, settings);
    }
    double leastGain = part.has("least-gain") ? part.real("least-gain") : 0;
    Map<String, Long> shares =
        part.has("shares") ? shares(part.node("shares"), strategy, settings) : Map.of();
    part.put("cache", strategy.written());
    part.put("least-gain", leastGain > 0 ? (Object) leastGain : null);
    return new LiveArm(strategy, leastGain, shares);
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
}
