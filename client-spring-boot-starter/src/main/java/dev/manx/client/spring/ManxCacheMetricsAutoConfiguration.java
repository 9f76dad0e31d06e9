/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.FanoutCache;
import dev.manx.client.metrics.FanoutCacheMetrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Adds the cache's meters if Micrometer is present; Spring Boot binds them to every registry. */
@AutoConfiguration(after = ManxCacheAutoConfiguration.class)
@ConditionalOnClass(MeterBinder.class)
public class ManxCacheMetricsAutoConfiguration {
  private static final Logger LOG =
      LoggerFactory.getLogger(ManxCacheMetricsAutoConfiguration.class);

  /** Creates the configuration, for Spring. */
  public ManxCacheMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnSingleCandidate(FanoutCache.class)
  @ConditionalOnMissingBean(FanoutCacheMetrics.class)
  MeterBinder manxCacheMetrics(
      FanoutCache cache, Environment environment, ObjectProvider<MeterBinder> binders) {
    FanoutCacheMetrics metrics = new FanoutCacheMetrics(cache, Tags.empty());
    return new AutomaticMeters(
        CacheProperties.histograms(environment) ? metrics.withHistograms() : metrics, binders);
  }

  /** Logs caches without meters: the application's own bean of meters replaces the one above. */
  @Bean
  SmartInitializingSingleton manxCacheMetersCheck(
      ListableBeanFactory beans, ObjectProvider<MeterBinder> binders) {
    return () -> {
      int caches = beans.getBeanNamesForType(FanoutCache.class).length;
      long metered = binders.stream().flatMap(AutomaticMeters::caches).distinct().count();
      if (metered < caches) {
        LOG.info(
            "{} caches (FanoutCache), but meters (FanoutCacheMetrics) of {}: define a bean of"
                + " meters for every cache; see docs/embed/frameworks.md",
            caches,
            metered);
      }
    };
  }
}
