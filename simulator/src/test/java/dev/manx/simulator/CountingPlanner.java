/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.fanout.RankedPlanner;
import dev.manx.policy.fanout.Ranking;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.PolicyProvider;
import java.util.List;
import java.util.Locale;

/**
 * Planners of a third party that rank by keys or bytes, which neither their names nor their
 * settings say.
 */
public final class CountingPlanner implements PolicyProvider {
  @Override
  public List<PolicyInfo> policies() {
    return List.of(policy(Unit.KEYS), policy(Unit.BYTES));
  }

  private static PolicyInfo policy(Unit unit) {
    return PolicyInfo.named(
            "fanout.counting-" + unit.name().toLowerCase(Locale.ROOT), "a third party's")
        .at(Place.SIMULATOR)
        .make(settings -> new Planner(unit));
  }

  private record Planner(Unit unit) implements FanoutPlanner {
    @Override
    public void plan(Request request, Selector selector, ClusterView view) {
      new RankedPlanner(Ranking.byBottleneck(unit), false).plan(request, selector, view);
    }
  }
}
