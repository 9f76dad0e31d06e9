/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.shares.CacheStrategy;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

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
 * @param backends settings by backend; they override what the application says
 */
public record CacheSettings(
    long capacityBytes,
    CacheStrategy strategy,
    Duration requestTimeOut,
    int recordEvery,
    double leastGain,
    boolean shadow,
    BackendSettings standard,
    Map<String, BackendSettings> backends) {
  /** Freezes the map. */
  public CacheSettings {
    backends = Map.copyOf(backends);
  }

  /** Settings of one backend: configured, else its own, else the standard. */
  BackendSettings of(String backend, Optional<BackendSettings> own) {
    BackendSettings configured = backends.get(backend);
    return configured != null ? configured : own.orElse(standard);
  }
}
