/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.FanoutCache;
import dev.manx.client.metrics.FanoutCacheMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * The meters of the application's cache, unless the application defines meters of that cache. A
 * condition of Spring would miss those that it declares as {@code MeterBinder}, the usual type.
 */
final class AutomaticMeters implements MeterBinder {
  private static final Logger LOG = LoggerFactory.getLogger(AutomaticMeters.class);

  private final FanoutCacheMetrics metrics;
  private final ObjectProvider<MeterBinder> binders;

  AutomaticMeters(FanoutCacheMetrics metrics, ObjectProvider<MeterBinder> binders) {
    this.metrics = metrics;
    this.binders = binders;
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    if (binders.stream().anyMatch(this::replaces)) {
      LOG.info(
          "the application defines FanoutCacheMetrics of this cache:"
              + " they replace the automatic meters");
    } else {
      metrics.bindTo(registry);
    }
  }

  private boolean replaces(MeterBinder other) {
    return other instanceof FanoutCacheMetrics own && own.cache() == metrics.cache();
  }

  /** The cache whose meters a bean is, if any. */
  static Stream<FanoutCache> caches(Object meters) {
    if (meters instanceof AutomaticMeters automatic) {
      return Stream.of(automatic.metrics.cache());
    }
    return meters instanceof FanoutCacheMetrics own ? Stream.of(own.cache()) : Stream.empty();
  }
}
