/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import dev.manx.client.Backend;
import dev.manx.client.BackendListener;
import dev.manx.client.BackendStats;
import dev.manx.client.FanoutCache;
import dev.manx.shares.WindowStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of each backend of a cache in one registry, until it is removed or closed. */
final class BackendMeters implements BackendListener {
  static final double[] QUANTILES = {0.5, 0.99};

  private final FanoutCache cache;
  private final MeterRegistry registry;
  private final Tags tags;
  private final Map<Backend<?, ?>, List<Meter>> meters = new ConcurrentHashMap<>();

  BackendMeters(FanoutCache cache, MeterRegistry registry, Tags tags) {
    this.cache = cache;
    this.registry = registry;
    this.tags = tags;
  }

  @Override
  public void added(Backend<?, ?> backend) {
    Tags own = tags.and("backend", backend.name());
    List<Meter> made = new ArrayList<>();
    if (cache.sharedStore().isEmpty()) {
      made.add(counter(backend, own, "too.large", s -> s.tooLarge()));
      made.add(counter(backend, own, "store.failures", s -> s.storeFailures()));
      made.add(counter(backend, own, "store.emptied", s -> s.storeEmptied()));
      made.add(gauge(backend, own, "allocated", "bytes", s -> s.allocatedBytes()));
      made.add(gauge(backend, own, "used", "bytes", s -> s.usedBytes()));
    } else {
      // The others are in the meters of the one store, so that a sum over backends contains them
      // once.
      made.add(counter(backend, own, "store.failures", s -> s.lookUpFailures()));
    }
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
    made.add(counter(backend, own, "level.hits", s -> s.level().hits()));
    made.add(counter(backend, own, "level.misses", s -> s.level().misses()));
    made.add(counter(backend, own, "level.fills", s -> s.level().fills()));
    made.add(counter(backend, own, "level.refused", s -> s.level().refused()));
    made.add(counter(backend, own, "level.too.large", s -> s.level().tooLarge()));
    made.add(counter(backend, own, "level.failures", s -> s.level().failures()));
    made.add(gauge(backend, own, "level.unconfirmed", null, s -> s.level().unconfirmed()));
    made.add(gauge(backend, own, "hit.ratio", null, s -> s.hitRatio()));
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

  @Override
  public void closed() {
    List.copyOf(meters.keySet()).forEach(this::removed);
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
    return Gauge.builder("manx.cache.backend." + name, backend, b -> value.applyAsDouble(b.stats()))
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
        .description(
            "latency of hits and counted misses in the last window, without uncached queries")
        .tags(own.and("quantile", Double.toString(quantile)))
        .register(registry);
  }

  private static double queryNanos(WindowStatistics window, String backend, double quantile) {
    int place = window.backends().indexOf(backend);
    return place < 0 ? Double.NaN : window.queryNanos(place, quantile);
  }
}
