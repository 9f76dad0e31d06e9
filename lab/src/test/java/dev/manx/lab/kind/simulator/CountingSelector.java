/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.facts.ClusterView;
import dev.manx.policy.select.Selector;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.PolicyProvider;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A selector of a third party that, if so set, remembers earlier runs. */
public final class CountingSelector implements PolicyProvider {
  private static final AtomicLong RANKED = new AtomicLong();

  @Override
  public List<PolicyInfo> policies() {
    return List.of(
        PolicyInfo.named("select.counting", "the first replica, or any, for tests")
            .at(Place.SIMULATOR)
            .settings(Setting.word("counter", "whether it counts", "none", "static"))
            .make(settings -> new Counting(settings.word("counter").equals("static"))));
  }

  private record Counting(boolean counts) implements Selector {
    @Override
    public void rank(Request request, int read, int from, int to, ClusterView view) {
      if (counts) {
        long mixed = RANKED.incrementAndGet() * 0x9E3779B97F4A7C15L >>> 32;
        int other = from + (int) (mixed % (to - from));
        int first = request.replicas()[from];
        request.replicas()[from] = request.replicas()[other];
        request.replicas()[other] = first;
      }
    }
  }
}
