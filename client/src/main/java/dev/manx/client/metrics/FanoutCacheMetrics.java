/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import dev.manx.client.Backend;
import dev.manx.client.BackendListener;
import dev.manx.client.BackendStats;
import dev.manx.client.CacheStats;
import dev.manx.client.FanoutCache;
import dev.manx.shares.WindowStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Meters of a {@link FanoutCache}: {@code manx.cache.*} for the whole, {@code manx.cache.backend.*}
 * with tag {@code backend} for each backend. Meters of a backend are added and removed with it.
 * Latencies cover the last decision's window of all application servers.
 *
 * <p>The registry determines the polling rate; a poll costs microseconds and takes no lock of a
 * request. {@link #withHistograms()} adds latencies that a monitoring system can sum over servers.
 */
public final class FanoutCacheMetrics implements MeterBinder {
  private static final double[] QUANTILES = {0.5, 0.99};

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

  @Override
  public void bindTo(MeterRegistry registry) {
    counter(registry, "requests", "completed requests", s -> s.requests());
    counter(
        registry, "requests.without.queries", "requests without a query", s -> s.withoutQueries());
    counter(
        registry,
        "requests.given.up",
        "requests that ended with queries pending",
        s -> s.givenUp());
    counter(registry, "ticks", "decisions of the control loop", s -> s.loop().ticks());
    counter(registry, "ticks.frozen", "decisions without fresh statistics", s -> s.loop().frozen());
    counter(
        registry,
        "ticks.deferred",
        "decisions not made: a move was unfinished",
        s -> s.loop().deferred());
    counter(
        registry, "ticks.failed", "decisions that ended in an exception", s -> s.loop().failures());
    counter(registry, "moves", "shares resized", s -> s.loop().moves());
    counter(registry, "moves.bytes", "bytes given to other shares", s -> s.loop().bytesMoved());
    counter(registry, "moves.failed", "resizes that failed", s -> s.loop().failedMoves());
    counter(
        registry, "records.lost", "records dropped under contention", s -> s.loop().recordsLost());
    counter(
        registry, "rests", "returns to shares of a shared cache", s -> s.loop().policy().rests());
    Gauge.builder("manx.cache.resting", cache, c -> c.stats().loop().policy().resting() ? 1 : 0)
        .description("1 while the policy rests")
        .tags(tags)
        .register(registry);
    Gauge.builder("manx.cache.loss", cache, c -> c.stats().loop().policy().loss())
        .description("extra request time over the shares of a shared cache, as a fraction")
        .tags(tags)
        .register(registry);
    Gauge.builder("manx.cache.load.threads", cache, c -> c.stats().loadThreads())
        .description("threads of the cache for loaders, including stuck ones")
        .baseUnit("threads")
        .tags(tags)
        .register(registry);
    Gauge.builder("manx.cache.load.threads.most", cache, c -> c.stats().mostLoadThreads())
        .baseUnit("threads")
        .tags(tags)
        .register(registry);
    Gauge.builder("manx.cache.capacity", cache, c -> c.settings().capacityBytes())
        .baseUnit("bytes")
        .tags(tags)
        .register(registry);
    for (double quantile : QUANTILES) {
      TimeGauge.builder(
              "manx.cache.request.latency",
              cache,
              TimeUnit.NANOSECONDS,
              c -> c.recent().requestNanos(quantile))
          .description("of requests in the last window")
          .tags(tags.and("quantile", Double.toString(quantile)))
          .register(registry);
    }
    counter(
        registry,
        "invalidations.sent",
        "messages sent to other servers",
        s -> s.invalidations().sent());
    counter(
        registry, "invalidations.not.sent", "messages not sent", s -> s.invalidations().notSent());
    counter(
        registry,
        "invalidations.received",
        "messages received from other servers",
        s -> s.invalidations().received());
    counter(
        registry,
        "invalidations.gaps",
        "missing messages, and servers that fell silent",
        s -> s.invalidations().gaps());
    counter(
        registry,
        "invalidations.breaks",
        "lost connections to the other servers",
        s -> s.invalidations().breaks());
    counter(
        registry,
        "invalidations.forgotten",
        "times that all keys were forgotten",
        s -> s.invalidations().forgotten());
    counter(
        registry,
        "invalidations.coarse",
        "invalidations of single keys sent as of all keys",
        s -> s.invalidations().coarse());
    counter(
        registry,
        "invalidations.unread",
        "messages that could not be read",
        s -> s.invalidations().unread());
    cache.listen(new PerBackend(registry));
    if (histograms) {
      new LatencyTimers(registry, tags).follow(cache);
    }
  }

  private void counter(
      MeterRegistry registry, String name, String meaning, ToDoubleFunction<CacheStats> value) {
    FunctionCounter.builder("manx.cache." + name, cache, c -> value.applyAsDouble(c.stats()))
        .description(meaning)
        .tags(tags)
        .register(registry);
  }

  private final class PerBackend implements BackendListener {
    private final MeterRegistry registry;
    private final Map<Backend<?, ?>, List<Meter>> meters = new ConcurrentHashMap<>();

    PerBackend(MeterRegistry registry) {
      this.registry = registry;
    }

    @Override
    public void added(Backend<?, ?> backend) {
      Tags own = tags.and("backend", backend.name());
      List<Meter> made = new ArrayList<>();
      made.add(counter(backend, own, "hits", s -> s.hits()));
      made.add(counter(backend, own, "misses", s -> s.misses()));
      made.add(counter(backend, own, "absent.hits", s -> s.absentHits()));
      made.add(counter(backend, own, "coalesced", s -> s.coalesced()));
      made.add(counter(backend, own, "uncached", s -> s.uncached()));
      made.add(counter(backend, own, "loads.failed", s -> s.loadFailures()));
      made.add(counter(backend, own, "loads.timed.out", s -> s.loadTimeOuts()));
      made.add(counter(backend, own, "refused", s -> s.refused()));
      made.add(counter(backend, own, "not.kept", s -> s.notKept()));
      made.add(counter(backend, own, "blocked", s -> s.blocked()));
      made.add(counter(backend, own, "refreshes", s -> s.refreshes()));
      made.add(counter(backend, own, "stale.answers", s -> s.staleAnswers()));
      made.add(counter(backend, own, "loads.broken", s -> s.broken()));
      made.add(gauge(backend, own, "loads.stuck", "threads", s -> s.stuck()));
      made.add(counter(backend, own, "loads.not.begun", s -> s.notBegun()));
      made.add(gauge(backend, own, "breaker.open", null, s -> s.breakerOpen() ? 1 : 0));
      made.add(counter(backend, own, "store.failures", s -> s.storeFailures()));
      made.add(counter(backend, own, "level.hits", s -> s.level().hits()));
      made.add(counter(backend, own, "level.misses", s -> s.level().misses()));
      made.add(counter(backend, own, "level.fills", s -> s.level().fills()));
      made.add(counter(backend, own, "level.refused", s -> s.level().refused()));
      made.add(counter(backend, own, "level.failures", s -> s.level().failures()));
      made.add(gauge(backend, own, "level.unconfirmed", null, s -> s.level().unconfirmed()));
      made.add(gauge(backend, own, "hit.ratio", null, s -> s.hitRatio()));
      made.add(gauge(backend, own, "allocated", "bytes", s -> s.allocatedBytes()));
      made.add(gauge(backend, own, "used", "bytes", s -> s.usedBytes()));
      made.add(gauge(backend, own, "pending", null, s -> s.pending()));
      made.add(gauge(backend, own, "store.degraded", null, s -> s.degraded() ? 1 : 0));
      made.add(wanted(backend.name(), own));
      made.add(fixed(backend.name(), own));
      for (double quantile : QUANTILES) {
        made.add(latency(backend.name(), own, quantile));
      }
      meters.put(backend, made);
    }

    @Override
    public void removed(Backend<?, ?> backend) {
      List<Meter> gone = meters.remove(backend);
      if (gone != null) {
        gone.forEach(registry::remove);
      }
    }

    private Meter counter(
        Backend<?, ?> backend, Tags own, String name, ToDoubleFunction<BackendStats> value) {
      return FunctionCounter.builder(
              "manx.cache.backend." + name, backend, b -> value.applyAsDouble(b.stats()))
          .tags(own)
          .register(registry);
    }

    private Meter gauge(
        Backend<?, ?> backend,
        Tags own,
        String name,
        String unit,
        ToDoubleFunction<BackendStats> value) {
      return Gauge.builder(
              "manx.cache.backend." + name, backend, b -> value.applyAsDouble(b.stats()))
          .baseUnit(unit)
          .tags(own)
          .register(registry);
    }

    private Meter wanted(String backend, Tags own) {
      return Gauge.builder("manx.cache.backend.wanted", cache, c -> wantedBytes(c, backend))
          .description("the share that a policy in shadow mode would give")
          .baseUnit("bytes")
          .tags(own)
          .register(registry);
    }

    private Meter fixed(String backend, Tags own) {
      return Gauge.builder(
              "manx.cache.backend.fixed",
              cache,
              c -> c.stats().loop().fixed().contains(backend) ? 1 : 0)
          .description("1 while its store rejects resizing")
          .tags(own)
          .register(registry);
    }

    private static double wantedBytes(FanoutCache cache, String backend) {
      Long bytes = cache.stats().loop().policy().wanted().get(backend);
      return bytes == null ? Double.NaN : bytes;
    }

    private Meter latency(String backend, Tags own, double quantile) {
      return TimeGauge.builder(
              "manx.cache.backend.query.latency",
              cache,
              TimeUnit.NANOSECONDS,
              c -> queryNanos(c.recent(), backend, quantile))
          .description("of queries in the last window, hits included")
          .tags(own.and("quantile", Double.toString(quantile)))
          .register(registry);
    }

    private static double queryNanos(WindowStatistics window, String backend, double quantile) {
      int place = window.backends().indexOf(backend);
      return place < 0 ? Double.NaN : window.queryNanos(place, quantile);
    }
  }
}
