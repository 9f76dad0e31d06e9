/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.Request.Unit;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.oracle.PopularityOracle;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.select.Selector;

/**
 * The constant properties of a strategy's parts. They are read once, when the strategy is made, so
 * that a host need not call policy code in places where that code must neither throw nor block.
 *
 * @param unit unit of the tags that the strategy writes and understands
 * @param followsReadsAtHome whether the selector must get ticket events of reads that their
 *     coordinator serves at once
 * @param actsWithoutQueue whether selector or planner act while no read waits at any node
 * @param prefersHome whether short reads are best served at home while no read waits at any node
 * @param largeAboveBytes smallest size that counts as large; {@link Long#MAX_VALUE} without an
 *     oracle
 * @param needsKeysOfSmall whether the size oracle needs the keys of sizes that are not large
 * @param sizeMemoryBytes memory of the size oracle; 0 without one
 * @param popularityMemoryBytes memory of the popularity oracle; 0 without one
 */
public record Traits(
    Unit unit,
    boolean followsReadsAtHome,
    boolean actsWithoutQueue,
    boolean prefersHome,
    long largeAboveBytes,
    boolean needsKeysOfSmall,
    long sizeMemoryBytes,
    long popularityMemoryBytes) {

  static Traits of(
      Selector selector, FanoutPlanner planner, SizeOracle sizes, PopularityOracle popularity) {
    return new Traits(
        planner.unit(),
        selector.followsReadsAtHome(),
        selector.actsWithoutQueue() || planner.actsWithoutQueue(),
        selector.prefersHome(),
        sizes == null ? Long.MAX_VALUE : sizes.largeAboveBytes(),
        sizes != null && sizes.needsKeysOfSmall(),
        sizes == null ? 0 : sizes.memoryBytes(),
        popularity == null ? 0 : popularity.memoryBytes());
  }
}
