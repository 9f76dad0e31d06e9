/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.BackendStats;
import dev.manx.client.FanoutCache;
import dev.manx.client.invalidation.InvalidationStats;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/** The actuator's endpoint {@code manxcache}: counters and shares of the cache and its backends. */
@Endpoint(id = "manxcache")
public class ManxCacheEndpoint {
  private final FanoutCache cache;

  ManxCacheEndpoint(FanoutCache cache) {
    this.cache = cache;
  }

  /**
   * The endpoint's response.
   *
   * @param capacityBytes total size of all shares
   * @param requests completed requests
   * @param ticks ticks of the control loop
   * @param movedBytes space moved between shares
   * @param invalidations messages exchanged with the other servers
   * @param backends by name
   */
  public record State(
      long capacityBytes,
      long requests,
      long ticks,
      long movedBytes,
      InvalidationStats invalidations,
      Map<String, BackendStats> backends) {}

  /** A snapshot. */
  @ReadOperation
  public State state() {
    var stats = cache.stats();
    return new State(
        stats.capacityBytes(),
        stats.requests(),
        stats.loop().ticks(),
        stats.loop().bytesMoved(),
        stats.invalidations(),
        new TreeMap<>(cache.backendStats()));
  }
}
