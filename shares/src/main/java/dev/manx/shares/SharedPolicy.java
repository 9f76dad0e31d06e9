/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.spi.PolicyInfo;

/**
 * One cache for all backends, least recently used first out: OneRF's policy (RobinHood section
 * 5.1). Space follows the rate of queries, regardless of their cost.
 */
final class SharedPolicy implements SharePolicy {
  static final PolicyInfo POLICY =
      PolicyInfo.named("cache.shared", "one LRU for all backends")
          .source("OneRF (RobinHood section 5.1)")
          .make(s -> new SharedPolicy());

  @Override
  public boolean partitions() {
    return false;
  }

  @Override
  public double[] targets(ShareView view) {
    return view.allocated().clone();
  }
}
