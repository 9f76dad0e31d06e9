/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import dev.manx.client.FanoutCache;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Meters of a {@link FanoutCache}: {@code manx.cache.*} for the whole, {@code manx.cache.backend.*}
 * with tag {@code backend} for each backend. Meters of a backend are added and removed with it, and
 * closing the cache removes all. Latencies cover the last decision's window of all application
 * servers.
 *
 * <p>The registry determines the polling rate; a poll costs microseconds and takes no lock of a
 * request. {@link #withHistograms()} adds latencies that a monitoring system can sum over servers.
 */
public final class FanoutCacheMetrics implements MeterBinder {
  private final FanoutCache cache;
  private final Tags tags;
  private final boolean histograms;

  /**
   * @param cache the measured cache
   * @param tags added to every meter, for example the cache's name; caches of one registry need
   *     different tags
   */
  public FanoutCacheMetrics(FanoutCache cache, Iterable<Tag> tags) {
    this(cache, tags, false);
  }

  private FanoutCacheMetrics(FanoutCache cache, Iterable<Tag> tags, boolean histograms) {
    this.cache = cache;
    this.tags = Tags.of(tags);
    this.histograms = histograms;
  }

  /**
   * Returns a copy that also has histogram timers of this server's requests, of its queries that
   * had to wait, and of its loader calls. Every request then costs some hundred nanoseconds more,
   * and a backend adds some sixty time series.
   */
  public FanoutCacheMetrics withHistograms() {
    return new FanoutCacheMetrics(cache, tags, true);
  }

  /** The measured cache. */
  public FanoutCache cache() {
    return cache;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    CacheMeters whole = new CacheMeters(cache, registry, tags);
    whole.register();
    cache.listen(whole);
    SharedStoreMeters shared = new SharedStoreMeters(cache, registry, tags);
    shared.register();
    cache.listen(shared);
    cache.listen(new BackendMeters(cache, registry, tags));
    if (histograms) {
      new LatencyTimers(registry, tags).follow(cache);
    }
  }
}
