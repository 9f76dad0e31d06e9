/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.PolicyProvider;
import java.util.List;

/** A selector of a third party that breaks its contract, and a planner that does not look. */
public final class FaultySelector implements PolicyProvider {
  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        PolicyInfo.named("select.faulty", "does not permute, for tests")
            .at(Place.SIMULATOR)
            .settings(Setting.word("fault", "what it does", "invent", "repeat", "nothing"))
            .make(settings -> new Faulty(settings.word("fault"))),
        PolicyInfo.named("fanout.without-opsets", "ranks reads and assigns none, for tests")
            .at(Place.SIMULATOR)
            .make(settings -> new RanksOnly()));
  }

  private record RanksOnly() implements FanoutPlanner {
    @Override
    public void plan(Request request, Selector selector, ClusterView view) {
      for (int read = 0; read < request.reads(); read++) {
        int from = request.replicaStart(read);
        selector.rank(request, read, from, from + request.replicaCount(read), view);
      }
    }

    @Override
    public Request.Unit unit() {
      return Request.Unit.NANOS;
    }
  }

  private record Faulty(String fault) implements Selector {
    @Override
    public void rank(Request request, int read, int from, int to, ClusterView view) {
      switch (fault) {
        case "invent" -> request.replicas()[from] = 77;
        case "repeat" -> request.replicas()[from] = request.replicas()[to - 1];
        default -> {}
      }
    }
  }
}
