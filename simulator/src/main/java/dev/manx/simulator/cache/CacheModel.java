/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import java.util.List;

/**
 * The modelled system at full size; {@link #scaled} compresses it in time.
 *
 * @param backends in the order of all results
 * @param kinds classes of requests
 * @param requestsPerSecond that query at least one backend, per application server
 * @param servers application servers, each with a cache of its own
 * @param cacheBytes of each
 * @param objectBytes mean size of an object before it is clipped
 * @param sizeSigma of the lognormal distribution of sizes
 * @param leastBytes smallest object
 * @param mostBytes largest object
 * @param hitNanos what a hit takes
 * @param serviceCv coefficient of variation of service times, lognormal
 * @param utilisation of a backend at {@code missesPerSecond} and full capacity
 */
public record CacheModel(
    List<BackendModel> backends,
    List<RequestKind> kinds,
    double requestsPerSecond,
    int servers,
    long cacheBytes,
    double objectBytes,
    double sizeSigma,
    int leastBytes,
    int mostBytes,
    long hitNanos,
    double serviceCv,
    double utilisation) {
  /** Copies the lists. */
  public CacheModel {
    backends = List.copyOf(backends);
    kinds = List.copyOf(kinds);
  }

  /**
   * The same with caches and numbers of objects multiplied: rates and service times stay, so that
   * queues look alike while caches fill and drain in less time.
   */
  public CacheModel scaled(double times) {
    return new CacheModel(
        backends.stream()
            .map(
                b ->
                    new BackendModel(
                        b.name(),
                        b.batchMean(),
                        (int) Math.max(1, Math.round(b.objects() * times)),
                        b.zipfExponent(),
                        b.serviceMeanNanos(),
                        b.missesPerSecond(),
                        b.chance()))
            .toList(),
        kinds,
        requestsPerSecond,
        servers,
        Math.round(cacheBytes * times),
        objectBytes,
        sizeSigma,
        leastBytes,
        mostBytes,
        hitNanos,
        serviceCv,
        utilisation);
  }

  /** Names of the backends. */
  public List<String> names() {
    return backends.stream().map(BackendModel::name).toList();
  }

  /**
   * Queries that a backend can work on at once, all application servers' together; at least one,
   * however rarely it is asked.
   */
  double workers(int backend) {
    BackendModel b = backends.get(backend);
    double busy = b.missesPerSecond() * servers * b.serviceMeanNanos() / 1e9;
    return Math.max(1, busy / utilisation);
  }
}
