/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.spring;

import dev.manx.client.FanoutCacheBuilder;

/**
 * A bean that changes the cache's builder after the application's properties were read, for options
 * that properties cannot express: a custom store, an exchange, a clock. Several are called in
 * order.
 */
@FunctionalInterface
public interface FanoutCacheCustomizer {
  /** Changes the builder. */
  void customize(FanoutCacheBuilder builder);
}
