/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.FanoutCache;
import dev.manx.client.metrics.FanoutCacheMetrics;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
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
  /** Creates the configuration, for Spring. */
  public ManxCacheMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnSingleCandidate(FanoutCache.class)
  @ConditionalOnMissingBean
  FanoutCacheMetrics manxCacheMetrics(FanoutCache cache, Environment environment) {
    FanoutCacheMetrics metrics = new FanoutCacheMetrics(cache, Tags.empty());
    return CacheProperties.histograms(environment) ? metrics.withHistograms() : metrics;
  }
}
