/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.policy.config.ConfigNode;
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
   * @throws dev.manx.policy.config.ConfigException if the two contradict each other
   */
  BackendSettings of(String backend, Optional<BackendSettings> own) {
    BackendSettings said = own.orElse(standard);
    ConfigNode configured = backends.get(backend);
    return configured != null ? said.read(configured) : said;
  }

  /** Names that are configured, of which none was added. */
  Set<String> unknown(Set<String> added) {
    Set<String> names = new TreeSet<>(backends.keySet());
    names.removeAll(added);
    return names;
  }
}
