/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/** Changes the decisions of another policy; all else is that policy's, unless overridden. */
abstract class DelegatingPolicy implements SharePolicy {
  /** The policy whose decisions are changed. */
  final SharePolicy policy;

  DelegatingPolicy(SharePolicy policy) {
    this.policy = policy;
  }

  @Override
  public boolean partitions() {
    return policy.partitions();
  }

  @Override
  public long enoughRequests() {
    return policy.enoughRequests();
  }

  @Override
  public long leastRequests() {
    return policy.leastRequests();
  }

  @Override
  public long shadowBytes() {
    return policy.shadowBytes();
  }

  @Override
  public boolean wantsCurves() {
    return policy.wantsCurves();
  }

  @Override
  public boolean weighsBenefit() {
    return policy.weighsBenefit();
  }

  @Override
  public PolicyReport report() {
    return policy.report();
  }
}
