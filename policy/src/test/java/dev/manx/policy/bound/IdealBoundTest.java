/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.FakeView;
import dev.manx.policy.Request;
import dev.manx.policy.hold.TestRead;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Policies;
import dev.manx.policy.strategy.PolicyMaker;
import dev.manx.policy.strategy.Strategy;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Cases of the ideal bounds, computed by hand, and the policies that may see global state. */
class IdealBoundTest {
  @Test
  void idleServersPullTheBestReadTheyMayServe() {
    GlobalOrder<TestRead> order = order("bound.ideal-equalmax");
    order.offer(new TestRead("x", 5, 1, 1, 2));
    order.offer(new TestRead("y", 1, 1, 2, 3));
    order.offer(new TestRead("z", 2, 1, 2, 3));
    assertThat(order.poll(2).name).isEqualTo("y");
    assertThat(order.poll(1).name).isEqualTo("x");
    assertThat(order.hasWork(1)).isFalse();
    assertThat(order.hasWork(2)).isTrue();
    TestRead last = order.poll(3);
    assertThat(last.name).isEqualTo("z");
    assertThat(last.node).isEqualTo(3);
    assertThat(order.poll(3)).isNull();
    assertThat(order.size()).isZero();
  }

  @Test
  void longestFirstStaysInsideARequest() {
    GlobalOrder<TestRead> order = order("bound.ideal-equalmax-lpt");
    order.offer(read("a1", 1, 7));
    order.offer(read("b5", 5, 8));
    order.offer(read("a3", 3, 7));
    order.offer(read("a2", 2, 7));
    assertThat(List.of(order.poll(1).name, order.poll(1).name, order.poll(1).name))
        .containsExactly("a3", "a2", "a1");
    assertThat(order.poll(1).name).isEqualTo("b5");
  }

  @Test
  void prioritiesAreByReplicaGroup() {
    for (String name : new String[] {"ideal-equalmax", "ideal-unifincr", "ideal-equalmax-lpt"}) {
      Strategy strategy =
          Strategy.parse(
              "test.yaml",
              "strategy: { bound: bound." + name + " }",
              Host.simulator(() -> 0, () -> 1));
      Request request = new Request();
      request.begin(0, new SplittableRandom(1), 9);
      for (int home : new int[] {0, 0, 4}) {
        request.addRead(null, home, 1);
        for (int i = 0; i < 3; i++) {
          request.addReplica((home + i) % 9, 0);
        }
      }
      strategy.plan(request, new FakeView(9));
      assertThat(request.bottleneck()).isEqualTo(2_000_000);
      assertThat(request.priority(2))
          .isEqualTo(name.equals("ideal-unifincr") ? 1_000_000 : 2_000_000);
      assertThat(request.longestFirst()).isEqualTo(name.endsWith("lpt"));
      assertThat(strategy.names()).containsEntry("bound", "bound." + name);
      assertThat(strategy.document()).contains("bound: { policy: bound." + name + " }");
    }
  }

  @Test
  void onlyTheFamilyBoundMayHaveIt() {
    assertThat(Policies.all())
        .allSatisfy(
            info ->
                assertThat(info.needs().contains(Ability.GLOBAL_STATE))
                    .as(info.name())
                    .isEqualTo(info.family().equals("bound")));
    assertThatThrownBy(() -> info("select.peeking", Set.of(Ability.GLOBAL_STATE)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("family bound");
    PolicyInfo disguised = info("select.disguised", Set.of());
    assertThatThrownBy(() -> PolicyMaker.make(disguised))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("global state");
  }

  private static PolicyInfo info(String name, Set<Ability> needs) {
    return new PolicyInfo(
        name,
        "",
        "",
        Set.of(Place.SIMULATOR),
        List.of(),
        List.of(),
        needs,
        settings -> new IdealBound(null, false));
  }

  private static TestRead read(String name, long cost, long request) {
    TestRead read = new TestRead(name, 9, cost, 1);
    read.requestId = request;
    return read;
  }

  private static GlobalOrder<TestRead> order(String name) {
    Bound bound = PolicyMaker.make(Policies.find(name).orElseThrow());
    return bound.newOrder();
  }
}
