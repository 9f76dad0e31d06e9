/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Units;
import dev.manx.shares.BenefitVeto;
import dev.manx.shares.CacheStrategy;
import dev.manx.shares.ShadowPolicy;
import dev.manx.shares.SharePolicy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The settings of a cache.
 *
 * @param capacityBytes total size of all shares
 * @param strategy how the capacity is divided
 * @param requestTimeOut a request's pending queries fail after this time; zero: only the backends'
 *     time-outs apply
 * @param recordEvery one of this many requests and queries is recorded
 * @param leastGain a share grows only if doubling it would avoid at least this fraction of its
 *     backend's misses; 0: shares grow as the strategy decides
 * @param shadow whether the strategy's decisions are only reported, not applied
 * @param standard settings of backends without their own
 * @param standardNode where {@code standard} was configured, for error messages; empty: in code
 * @param backends single settings by backend; they override the application's
 */
public record CacheSettings(
    long capacityBytes,
    CacheStrategy strategy,
    Duration requestTimeOut,
    int recordEvery,
    double leastGain,
    boolean shadow,
    BackendSettings standard,
    Optional<ConfigNode> standardNode,
    Map<String, ConfigNode> backends) {
  /** Freezes the map. */
  public CacheSettings {
    backends = Map.copyOf(backends);
  }

  /** A new policy as these settings describe it. */
  SharePolicy policy() {
    SharePolicy chosen = strategy.newPolicy();
    SharePolicy careful = leastGain > 0 ? BenefitVeto.over(chosen, leastGain) : chosen;
    return shadow ? new ShadowPolicy(careful) : careful;
  }

  /**
   * Settings of one backend: its own, else the standard, each overridden by the configured values.
   *
   * @param expires whether its entries have individual times to live
   * @param kept the longest time that the store keeps an entry; zero: until eviction
   * @param below the second level's time to live; zero: there is none
   * @throws dev.manx.policy.config.ConfigException if they contradict each other
   * @throws IllegalArgumentException if they contradict each other and none was read from a file
   */
  BackendSettings of(
      String backend,
      Optional<BackendSettings> own,
      boolean expires,
      Duration kept,
      Duration below) {
    BackendSettings said = own.orElse(standard);
    ConfigNode configured = backends.get(backend);
    BackendSettings settings = configured != null ? said.read(configured) : said;
    List<ConfigNode> where =
        Stream.of(
                Optional.ofNullable(configured),
                own.isEmpty() ? standardNode : Optional.<ConfigNode>empty())
            .flatMap(Optional::stream)
            .toList();
    Freshness fresh = settings.freshness();
    if (!expires && fresh.hasStaleInVain()) {
      throw refused(
          backend,
          where,
          Freshness.STALE_IF_ERROR,
          fresh.staleIfError(),
          "0 without a time-to-live");
    }
    if (!below.isZero()
        && fresh.timeToLive().isZero()
        && fresh.refreshAfter().compareTo(below) >= 0) {
      throw refused(
          backend,
          where,
          Freshness.REFRESH_AFTER,
          fresh.refreshAfter(),
          "less than second-level.time-to-live ("
              + Units.bound(below.toNanos())
              + "), which is that of backend "
              + backend
              + " too unless it has one of its own");
    }
    if (fresh.hasStaleLongerThan(kept)) {
      throw refused(
          backend,
          where,
          Freshness.STALE_IF_ERROR,
          fresh.staleIfError(),
          "at most the time-to-live of the store ("
              + Units.bound(kept.toNanos())
              + ") minus that of the backend, because the store drops older entries; or omit the"
              + " store's");
    }
    return settings;
  }

  /**
   * @param where the mappings that may contain the setting, the more specific one first
   */
  private static RuntimeException refused(
      String backend, List<ConfigNode> where, Setting setting, Duration value, String allowed) {
    for (ConfigNode node : where) {
      if (node.names().contains(setting.name())) {
        return node.at(setting.name()).refuse(allowed);
      }
    }
    return new IllegalArgumentException(
        "backend "
            + backend
            + ": "
            + setting.name()
            + " = "
            + Units.bound(value.toNanos())
            + " is invalid; allowed: "
            + allowed);
  }

  /** Configured backend names that were not added. */
  Set<String> unknown(Set<String> added) {
    Set<String> names = new TreeSet<>(backends.keySet());
    names.removeAll(added);
    return names;
  }
}
