/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import dev.manx.client.Backend;
import dev.manx.client.BackendListener;
import dev.manx.client.CacheStats;
import dev.manx.client.FanoutCache;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** The meters of a whole cache in one registry, until the cache is closed. */
final class CacheMeters implements BackendListener {
  private final FanoutCache cache;
  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> made = new ArrayList<>();

  CacheMeters(FanoutCache cache, MeterRegistry registry, Tags tags) {
    this.cache = cache;
    this.registry = registry;
    this.tags = tags;
  }

  /** Registers them; once. */
  void register() {
    counter("requests", "completed requests", s -> s.requests());
    counter("requests.without.queries", "requests without a query", s -> s.withoutQueries());
    counter(
        "requests.rejected",
        "requests whose queries were all rejected by max-pending",
        s -> s.rejected());
    counter("requests.given.up", "requests that ended with queries pending", s -> s.givenUp());
    counter("ticks", "decisions of the control loop", s -> s.loop().ticks());
    counter("ticks.frozen", "decisions without fresh statistics", s -> s.loop().frozen());
    counter(
        "ticks.deferred", "decisions not made: a move was unfinished", s -> s.loop().deferred());
    counter("ticks.failed", "decisions that ended in an exception", s -> s.loop().failures());
    counter("moves", "shares resized", s -> s.loop().moves());
    counter("moves.bytes", "bytes given to other shares", s -> s.loop().bytesMoved());
    counter("moves.failed", "resizes that failed", s -> s.loop().failedMoves());
    counter("records.lost", "records dropped under contention", s -> s.loop().recordsLost());
    counter("rests", "returns to shares of a shared cache", s -> s.loop().policy().rests());
    gauge("resting", "1 while the policy rests", null, s -> s.loop().policy().resting() ? 1 : 0);
    gauge(
        "loss",
        "extra request time over the shares of a shared cache, as a fraction",
        null,
        s -> s.loop().policy().loss());
    gauge(
        "load.threads",
        "threads of the cache for loaders, including stuck ones",
        "threads",
        s -> s.loadThreads());
    gauge("load.threads.most", null, "threads", s -> s.mostLoadThreads());
    gauge("capacity", null, "bytes", s -> s.capacityBytes());
    for (double quantile : BackendMeters.QUANTILES) {
      made.add(
          TimeGauge.builder(
                  "manx.cache.request.latency",
                  cache,
                  TimeUnit.NANOSECONDS,
                  c -> c.recent().requestNanos(quantile))
              .description("latency of requests in the last window")
              .tags(tags.and("quantile", Double.toString(quantile)))
              .register(registry));
    }
    counter("invalidations.sent", "messages sent to other servers", s -> s.invalidations().sent());
    counter("invalidations.not.sent", "messages not sent", s -> s.invalidations().notSent());
    counter(
        "invalidations.received",
        "messages received from other servers",
        s -> s.invalidations().received());
    counter(
        "invalidations.gaps",
        "missing messages, and servers that fell silent",
        s -> s.invalidations().gaps());
    counter(
        "invalidations.breaks",
        "lost connections to the other servers",
        s -> s.invalidations().breaks());
    counter(
        "invalidations.forgotten",
        "times that all keys were forgotten",
        s -> s.invalidations().forgotten());
    counter(
        "invalidations.coarse",
        "invalidations of single keys that were sent as invalidations of all keys",
        s -> s.invalidations().coarse());
    counter(
        "invalidations.unread", "messages that could not be read", s -> s.invalidations().unread());
    gauge(
        "invalidations.connected",
        "1 while this server's own messages come back",
        null,
        s -> s.invalidations().connected() ? 1 : 0);
    gauge("invalidations.peers", "other servers known now", null, s -> s.invalidations().peers());
  }

  private void counter(String name, String meaning, ToDoubleFunction<CacheStats> value) {
    made.add(
        FunctionCounter.builder("manx.cache." + name, cache, c -> value.applyAsDouble(c.stats()))
            .description(meaning)
            .tags(tags)
            .register(registry));
  }

  private void gauge(String name, String meaning, String unit, ToDoubleFunction<CacheStats> value) {
    made.add(
        Gauge.builder("manx.cache." + name, cache, c -> value.applyAsDouble(c.stats()))
            .description(meaning)
            .baseUnit(unit)
            .tags(tags)
            .register(registry));
  }

  @Override
  public void added(Backend<?, ?> backend) {
    // It has meters of its own.
  }

  @Override
  public void removed(Backend<?, ?> backend) {
    // It has meters of its own.
  }

  @Override
  public void closed() {
    made.forEach(registry::remove);
  }
}
