/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.metrics;

import dev.manx.client.Backend;
import dev.manx.client.BackendListener;
import dev.manx.client.FanoutCache;
import dev.manx.client.store.SharedStoreStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The meters of a store that all backends of a cache share, in one registry, until the cache is
 * closed. They have the names of a backend's meters, once, so that sums over backends are right.
 */
final class SharedStoreMeters implements BackendListener {
  /** The value of the tag {@code backend}, which no backend can have. */
  private static final String BACKEND = "(shared)";

  private final FanoutCache cache;
  private final MeterRegistry registry;
  private final Tags tags;
  private final List<Meter> made = new ArrayList<>();

  SharedStoreMeters(FanoutCache cache, MeterRegistry registry, Tags tags) {
    this.cache = cache;
    this.registry = registry;
    this.tags = tags.and("backend", BACKEND);
  }

  /** Registers them, if there is such a store; once. */
  void register() {
    if (cache.sharedStore().isEmpty()) {
      return;
    }
    gauge("allocated", s -> s.allocatedBytes());
    gauge("used", s -> s.usedBytes());
    counter("too.large", s -> s.tooLarge());
    counter("store.failures", s -> s.failures());
    counter("store.emptied", s -> s.emptied());
  }

  private static double value(FanoutCache cache, ToDoubleFunction<SharedStoreStats> of) {
    return cache.sharedStore().map(of::applyAsDouble).orElse(Double.NaN);
  }

  private void gauge(String name, ToDoubleFunction<SharedStoreStats> of) {
    made.add(
        Gauge.builder("manx.cache.backend." + name, cache, c -> value(c, of))
            .baseUnit("bytes")
            .tags(tags)
            .register(registry));
  }

  private void counter(String name, ToDoubleFunction<SharedStoreStats> of) {
    made.add(
        FunctionCounter.builder("manx.cache.backend." + name, cache, c -> value(c, of))
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
