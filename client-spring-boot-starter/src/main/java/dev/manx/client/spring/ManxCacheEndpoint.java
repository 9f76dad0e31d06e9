/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.BackendStats;
import dev.manx.client.FanoutCache;
import dev.manx.client.invalidation.InvalidationStats;
import dev.manx.client.store.SharedStoreStats;
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
   * @param rejected of these, requests whose queries were all rejected
   * @param ticks ticks of the control loop
   * @param movedBytes space moved between shares
   * @param invalidations messages exchanged with the other servers
   * @param shared the one store of all backends; null if each has its own
   * @param backends by name
   */
  public record State(
      long capacityBytes,
      long requests,
      long rejected,
      long ticks,
      long movedBytes,
      InvalidationStats invalidations,
      SharedStoreStats shared,
      Map<String, BackendStats> backends) {}

  /** A snapshot. */
  @ReadOperation
  public State state() {
    var stats = cache.stats();
    return new State(
        stats.capacityBytes(),
        stats.requests(),
        stats.rejected(),
        stats.loop().ticks(),
        stats.loop().bytesMoved(),
        stats.invalidations(),
        cache.sharedStore().orElse(null),
        new TreeMap<>(cache.backendStats()));
  }
}
