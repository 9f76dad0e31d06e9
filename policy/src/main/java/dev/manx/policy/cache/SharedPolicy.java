/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.cache;

/**
 * One cache for all backends, least recently used first out: OneRF's policy (RobinHood section
 * 5.1). Space follows the rate of queries, whatever they cost.
 */
public final class SharedPolicy implements SharePolicy {
  @Override
  public boolean partitions() {
    return false;
  }

  @Override
  public double[] targets(ShareView view) {
    return view.allocated().clone();
  }
}
