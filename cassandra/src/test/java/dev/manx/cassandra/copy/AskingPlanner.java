/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import dev.manx.cassandra.control.Stalls;
import dev.manx.policy.Copies;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.fanout.CopyBudget;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.fanout.Plans;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyProvider;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A third party's policies that run a test's code when an answer is reported, or fail. */
public final class AskingPlanner implements PolicyProvider {
  /** The code to run. */
  public static volatile Runnable told = () -> {};

  /** The latest sign of life of each node that a planner was notified of. */
  public static final Map<Integer, Long> HEARD = new ConcurrentHashMap<>();

  /** Whether a thread that stayed in the calling thread's place would be detected. */
  public static boolean isWatched(Stalls stalls, long nowNanos) {
    boolean noticed = false;
    for (int look = 1; look <= 12; look++) {
      noticed = stalls.look(nowNanos + look * 250 * CopyBench.MILLI);
    }
    return noticed;
  }

  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        policy("fanout.asking-hedged", Copies.HEDGED, Ability.LATE_COPIES),
        policy("fanout.asking-tied", Copies.FORWARDED, Ability.TIED_COPIES),
        PolicyInfo.named("select.asking", "runs a test's code").make(s -> new Stock()),
        PolicyInfo.named("fanout.deaf", "fails to hear an answer")
            .make(s -> new Planner(Copies.NONE, false)),
        PolicyInfo.named("fanout.without-budget-tied", "cannot make a budget")
            .needs(Ability.TIED_COPIES)
            .make(s -> new Planner(Copies.FORWARDED, true)));
  }

  private static PolicyInfo policy(String name, Copies copies, Ability need) {
    return PolicyInfo.named(name, "runs a test's code")
        .needs(need)
        .make(s -> new Planner(copies, false));
  }

  private static final class Stock implements Selector {
    @Override
    public void rank(Request request, int read, int from, int to, ClusterView view) {}

    @Override
    public void answered(int node, long costNanos, long responseNanos, ClusterView view) {
      told.run();
    }
  }

  private record Planner(Copies copies, boolean withoutBudget) implements FanoutPlanner {
    @Override
    public void plan(Request request, Selector selector, ClusterView view) {
      Plans.arrange(request, false);
      Plans.rankAndAssign(request, selector, view);
      request.copies(copies);
      for (int read = 0; read < request.reads(); read++) {
        request.copyAfter(read, CopyBench.MILLI);
      }
      request.finish(false, unit(), 0);
    }

    @Override
    public Request.Unit unit() {
      return Request.Unit.NANOS;
    }

    @Override
    public void heard(int node, long nowNanos) {
      if (copies == Copies.NONE) {
        throw new IllegalStateException("asked to fail");
      }
      HEARD.put(node, nowNanos);
    }

    @Override
    public void answered(long rank, long elapsedNanos, boolean copied) {
      told.run();
    }

    @Override
    public void copyWasted() {
      told.run();
    }

    @Override
    public CopyBudget newReplicaBudget() {
      if (withoutBudget) {
        throw new IllegalStateException("asked to fail");
      }
      return new CopyBudget(10, 1);
    }
  }
}
