/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.measure.Measures;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.shares.CacheStrategy;
import dev.manx.shares.SharePolicy;
import java.util.Objects;
import java.util.Optional;

/**
 * How space is divided, and where that was configured, so that the error for a setting that does
 * not fit the cache names its line.
 *
 * @param node empty: in code
 */
record ConfiguredStrategy(CacheStrategy strategy, Optional<ConfigNode> node) {
  static ConfiguredStrategy inCode(CacheStrategy strategy) {
    return new ConfiguredStrategy(Objects.requireNonNull(strategy), Optional.empty());
  }

  static ConfiguredStrategy read(ConfigNode node) {
    return new ConfiguredStrategy(CacheStrategy.of(node, System::nanoTime), Optional.of(node));
  }

  CacheStrategy forCapacity(long bytes) {
    return strategy.forCapacity(bytes);
  }

  /**
   * Checks the strategy against the cache.
   *
   * @throws dev.manx.policy.config.ConfigException if it was read from a file, and acts only in the
   *     simulator, needs evictions that the stores do not report, or has a floor above the capacity
   * @throws IllegalArgumentException in the same case, if it was given in code
   */
  void check(long capacityBytes, boolean reportsEvictions) {
    strategy.refusalAt(Place.APPLICATION).ifPresent(this::refusePlace);
    CacheStrategy fitting = forCapacity(capacityBytes);
    SharePolicy policy = fitting.newPolicy();
    Measures.instead(policy, reportsEvictions).ifPresent(this::refuseMeasure);
    long floorBytes = fitting.controller().floorBytes();
    if (policy.partitions() && floorBytes > capacityBytes) {
      refuseFloor(floorBytes, "at most the capacity, " + Units.bytes(capacityBytes));
    }
  }

  private void refusePlace(String why) {
    throw node.<RuntimeException>map(
            here -> (here.isMapping() ? here.at("policy") : here).refuseBecause(why))
        .orElseGet(() -> new IllegalArgumentException(why));
  }

  private void refuseMeasure(String instead) {
    throw node.<RuntimeException>map(
            here ->
                (here.isMapping() ? here.find("signal").orElse(here.at("policy")) : here)
                    .refuse(instead))
        .orElseGet(
            () ->
                new IllegalArgumentException(
                    strategy.name() + " by shadow hits is invalid; allowed: " + instead));
  }

  private void refuseFloor(long bytes, String allowed) {
    throw node.filter(ConfigNode::isMapping)
        .flatMap(here -> here.find("floor"))
        .<RuntimeException>map(floor -> floor.refuse(allowed))
        .orElseGet(
            () ->
                new IllegalArgumentException(
                    "floor = " + Units.bytes(bytes) + " is invalid; allowed: " + allowed));
  }
}
