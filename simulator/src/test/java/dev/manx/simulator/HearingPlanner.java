/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.fanout.RankedPlanner;
import dev.manx.policy.fanout.Ranking;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.PolicyProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * A policy of a third party that has every read sent again, counts the answers it hears of, and
 * keeps how many reads a node is said to serve at once and when it is called by the timer.
 */
public final class HearingPlanner implements PolicyProvider {
  /** Answers heard on this thread. */
  static final ThreadLocal<long[]> HEARD = ThreadLocal.withInitial(() -> new long[1]);

  /** Reads that a node serves at once, as last heard on this thread. */
  static final ThreadLocal<int[]> SERVED_AT_ONCE = ThreadLocal.withInitial(() -> new int[1]);

  /** Times at which the timer called the planners of all coordinators on this thread. */
  static final ThreadLocal<List<Long>> TICKS = ThreadLocal.withInitial(ArrayList::new);

  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        PolicyInfo.named("fanout.hearing", "every read is sent again, for tests")
            .at(Place.SIMULATOR)
            .make(settings -> new Planner(HEARD.get(), Copies.HEDGED)),
        PolicyInfo.named("fanout.hearing-passed-on", "every waiting read is passed on, for tests")
            .at(Place.SIMULATOR)
            .make(settings -> new Planner(HEARD.get(), Copies.FORWARDED)));
  }

  private record Planner(long[] heard, Copies copies) implements FanoutPlanner {
    @Override
    public void plan(Request request, Selector selector, ClusterView view) {
      new RankedPlanner(Ranking.NONE, false).plan(request, selector, view);
      request.copies(copies);
      for (int read = 0; read < request.reads(); read++) {
        request.copyAfter(read, 1_000);
      }
    }

    @Override
    public Request.Unit unit() {
      return Request.Unit.NANOS;
    }

    @Override
    public void servedAtOnce(int reads) {
      SERVED_AT_ONCE.get()[0] = reads;
    }

    @Override
    public void tick(ClusterView view, long nowNanos) {
      TICKS.get().add(nowNanos);
    }

    @Override
    public void heard(int node, long nowNanos) {
      heard[0]++;
    }
  }
}
