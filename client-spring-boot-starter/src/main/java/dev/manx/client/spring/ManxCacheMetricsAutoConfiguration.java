/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.FanoutCache;
import dev.manx.client.metrics.FanoutCacheMetrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
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

  /**
   * Logs caches without meters: the application's own bean of meters replaces the one above.
   * Creates no bean: meters that are created later may be those of any cache.
   */
  @Bean
  SmartInitializingSingleton manxCacheMetersCheck(ConfigurableListableBeanFactory beans) {
    return () -> {
      int caches = beans.getBeanNamesForType(FanoutCache.class, false, false).length;
      if (caches < 2) {
        return;
      }
      List<String> binders = List.of(beans.getBeanNamesForType(MeterBinder.class, false, false));
      if (binders.stream().anyMatch(name -> mayMeterLater(beans, name))) {
        return;
      }
      long metered =
          binders.stream()
              .map(beans::getSingleton)
              .flatMap(AutomaticMeters::caches)
              .distinct()
              .count();
      if (metered < caches) {
        LOG.info(
            "{} caches (FanoutCache), but meters (FanoutCacheMetrics) of {}: define a bean of"
                + " meters for every cache; see docs/embed/frameworks.md",
            caches,
            metered);
      }
    };
  }

  private static boolean mayMeterLater(ConfigurableListableBeanFactory beans, String name) {
    Class<?> type = beans.getType(name, false);
    return !beans.containsSingleton(name)
        && (type == null || type.isAssignableFrom(FanoutCacheMetrics.class));
  }
}
