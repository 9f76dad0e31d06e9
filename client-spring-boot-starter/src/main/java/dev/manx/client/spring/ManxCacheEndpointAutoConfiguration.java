/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.FanoutCache;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/** Adds the cache's endpoint if the actuator is present and the endpoint is exposed. */
@AutoConfiguration(after = ManxCacheAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
public class ManxCacheEndpointAutoConfiguration {
  /** Creates the configuration, for Spring. */
  public ManxCacheEndpointAutoConfiguration() {}

  @Bean
  @ConditionalOnSingleCandidate(FanoutCache.class)
  @ConditionalOnMissingBean
  @ConditionalOnAvailableEndpoint
  ManxCacheEndpoint manxCacheEndpoint(FanoutCache cache) {
    return new ManxCacheEndpoint(cache);
  }
}
