/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.foreign;

import dev.manx.policy.Request;
import dev.manx.policy.Request.Unit;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.fanout.PlannerContractTest;
import dev.manx.policy.fanout.Plans;
import dev.manx.policy.fanout.RankedPlanner;
import dev.manx.policy.fanout.Ranking;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.PolicyMaker;
import dev.manx.policy.strategy.Strategy;
import java.util.stream.Stream;

/**
 * The contract suite on planners of a third party, which are not registered, and rank and send by
 * other rules than Manx's.
 */
class ForeignPlannerTest extends PlannerContractTest {
  static Stream<Strategy> strategies() {
    return Stream.of(
        PolicyMaker.planning(
            PolicyInfo.named("fanout.narrow", "narrow requests first")
                .make(settings -> new RankedPlanner(byWidth(Unit.NANOS), false))),
        PolicyMaker.planning(
            PolicyInfo.named("fanout.narrow-keys", "narrow requests first, with costs in keys")
                .make(settings -> new RankedPlanner(byWidth(Unit.KEYS), true))),
        PolicyMaker.planning(
            PolicyInfo.named("fanout.backwards", "sends the last read first")
                .make(settings -> new Backwards())));
  }

  private static Ranking byWidth(Unit unit) {
    return new Ranking(
        unit,
        true,
        (request, bottleneck) -> {
          for (int read = 0; read < request.reads(); read++) {
            request.prioritise(read, request.reads(), 7);
          }
        });
  }

  private static final class Backwards implements FanoutPlanner {
    @Override
    public void plan(Request request, Selector selector, ClusterView view) {
      Plans.arrange(request, false);
      int[] order = request.order();
      for (int i = 0, reads = request.reads(); i < reads; i++) {
        order[i] = reads - 1 - i;
      }
      Plans.rankAndAssign(request, selector, view);
      request.finish(false, unit(), 0);
    }

    @Override
    public Unit unit() {
      return Unit.NANOS;
    }
  }
}
