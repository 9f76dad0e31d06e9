/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import java.util.List;

/**
 * The modelled system at full size; {@link #scaled} compresses it in time.
 *
 * @param backends in the order of all results
 * @param kinds classes of requests
 * @param requestsPerSecond requests that query at least one backend, per application server
 * @param servers number of application servers, each with a separate cache
 * @param cacheBytes of each
 * @param objectBytes mean size of an object before it is clipped
 * @param sizeSigma of the lognormal distribution of sizes
 * @param leastBytes smallest object
 * @param mostBytes largest object
 * @param hitNanos latency of a hit
 * @param serviceCv coefficient of variation of service times, lognormal
 * @param utilisation of a backend at {@code missesPerSecond} and full capacity, if this needs at
 *     least one worker
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
   * Returns this model with caches and numbers of objects multiplied: rates and service times are
   * kept, so that queues behave alike while caches fill and drain in less time. But fewer keys with
   * the same exponent have another popularity: such a cache misses more.
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

  /** Queries that a backend serves concurrently for all application servers; at least one. */
  public double workers(int backend) {
    return Math.max(1, busy(backend) / utilisation);
  }

  /** Mean number of workers in use at {@code missesPerSecond}. */
  private double busy(int backend) {
    BackendModel b = backends.get(backend);
    return b.missesPerSecond() * servers * b.serviceMeanNanos() / 1e9;
  }

  /**
   * The fraction of its capacity at which a backend has a given utilisation at {@code
   * missesPerSecond}; at least {@link CapacityCurve#LEAST}. A backend with one worker may need far
   * less of it than one with many.
   */
  public double capacityAt(double peak, String backend) {
    int b = names().indexOf(backend);
    return Math.max(CapacityCurve.LEAST, Math.min(1, busy(b) / (workers(b) * peak)));
  }
}
