/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import static dev.manx.policy.strategy.Scales.IN_SIMULATOR;

import dev.manx.policy.Request.Unit;
import dev.manx.policy.bound.IdealBound;
import dev.manx.policy.fanout.BrbEqualMaxPlanner;
import dev.manx.policy.fanout.BrbUnifIncrPlanner;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** The registry's family {@code bound}. */
final class BoundPolicies {
  private BoundPolicies() {}

  static List<PolicyInfo> all() {
    return List.of(
        bound(
            "bound.ideal-equalmax",
            "one global queue by bottleneck, pulled by idle cores",
            s -> new IdealBound(new BrbEqualMaxPlanner(Unit.NANOS, false), false)),
        bound(
            "bound.ideal-unifincr",
            "one global queue by bottleneck minus own cost, pulled by idle cores",
            s -> new IdealBound(new BrbUnifIncrPlanner(false, false), false)),
        bound(
            "bound.ideal-equalmax-lpt",
            "as ideal-equalmax, the reads of one request costliest first",
            s -> new IdealBound(new BrbEqualMaxPlanner(Unit.NANOS, true), true)));
  }

  private static PolicyInfo bound(String name, String summary, Function<Settings, ?> factory) {
    return new PolicyInfo(
        name,
        summary,
        "BRB section 2.2, the model",
        IN_SIMULATOR,
        List.of(),
        List.of(),
        Set.of(Ability.GLOBAL_STATE),
        factory);
  }
}
