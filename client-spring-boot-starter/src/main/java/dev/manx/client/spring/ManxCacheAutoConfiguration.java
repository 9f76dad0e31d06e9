/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.FanoutCache;
import dev.manx.client.FanoutCacheBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;

/**
 * Creates one cache, from the properties below {@code manx.cache} and the beans of type {@link
 * FanoutCacheCustomizer}, unless the application defines one.
 */
@AutoConfiguration
@Conditional(CacheEnabled.class)
public class ManxCacheAutoConfiguration {
  /** Creates the configuration, for Spring. */
  public ManxCacheAutoConfiguration() {}

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  FanoutCache manxCache(
      Environment environment, ObjectProvider<FanoutCacheCustomizer> customizers) {
    FanoutCacheBuilder builder = FanoutCache.builder().configure(CacheProperties.read(environment));
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return builder.open();
  }
}
