/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.shares.CacheStrategy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The settings of a cache.
 *
 * @param capacityBytes of all shares together
 * @param strategy how it is divided
 * @param requestTimeOut a request's pending queries fail after this time; zero: only the backends'
 *     time-outs apply
 * @param recordEvery one of this many requests and queries is recorded
 * @param leastGain part of a backend's misses that a doubled share must spare, else it does not
 *     grow; 0: shares grow as the strategy says
 * @param shadow whether the strategy's decisions are reported and not carried out
 * @param standard settings of backends that have none of their own
 * @param backends single settings by backend; they override what the application says
 */
public record CacheSettings(
    long capacityBytes,
    CacheStrategy strategy,
    Duration requestTimeOut,
    int recordEvery,
    double leastGain,
    boolean shadow,
    BackendSettings standard,
    Map<String, ConfigNode> backends) {
  /** Freezes the map. */
  public CacheSettings {
    backends = Map.copyOf(backends);
  }

  /**
   * Settings of one backend: its own, else the standard, each replaced by what is configured.
   *
   * @param expires whether its entries have times to live of their own
   * @param kept how long the store keeps an entry at most; zero: until it is evicted
   * @throws dev.manx.policy.config.ConfigException if they contradict each other
   * @throws IllegalArgumentException likewise, if none of it was read from a file
   */
  BackendSettings of(
      String backend, Optional<BackendSettings> own, boolean expires, Duration kept) {
    BackendSettings said = own.orElse(standard);
    ConfigNode configured = backends.get(backend);
    BackendSettings settings = configured != null ? said.read(configured) : said;
    if (!expires && settings.freshness().hasStaleInVain()) {
      throw staleInVain(backend, configured, settings.freshness(), "0 without a time-to-live");
    }
    if (settings.freshness().hasStaleLongerThan(kept)) {
      throw staleInVain(
          backend,
          configured,
          settings.freshness(),
          "what together with the backend's time-to-live does not exceed the time-to-live of the"
              + " store ("
              + Units.bound(kept.toNanos())
              + "), which drops an entry then; or leave the store's out");
    }
    return settings;
  }

  private static RuntimeException staleInVain(
      String backend, ConfigNode configured, Freshness freshness, String allowed) {
    String name = Freshness.STALE_IF_ERROR.name();
    if (configured != null && configured.names().contains(name)) {
      return configured.at(name).refuse(allowed);
    }
    return new IllegalArgumentException(
        "backend "
            + backend
            + ": "
            + name
            + " = "
            + Units.bound(freshness.staleIfError().toNanos())
            + " is invalid; allowed: "
            + allowed);
  }

  /** Names that are configured, of which none was added. */
  Set<String> unknown(Set<String> added) {
    Set<String> names = new TreeSet<>(backends.keySet());
    names.removeAll(added);
    return names;
  }
}
