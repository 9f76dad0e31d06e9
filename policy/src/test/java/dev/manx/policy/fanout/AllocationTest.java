/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Policies;
import dev.manx.policy.strategy.Strategy;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Planning a request of 20 reads allocates nothing. */
class AllocationTest {
  private static final int REPEATS = 2_000;

  static Stream<String> strategies() {
    Stream<String> selectors =
        Policies.family("select").stream()
            .map(info -> "select: %s, fanout: fanout.brb-equalmax".formatted(info.name()));
    Stream<String> planners =
        Policies.family("fanout").stream()
            .map(
                info ->
                    "select: select.low, fanout: { policy: %s, longest-first: true }"
                        .formatted(info.name()));
    Stream<String> bounds = Policies.family("bound").stream().map(info -> "bound: " + info.name());
    return Stream.of(selectors, planners, bounds).flatMap(strategies -> strategies);
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void planningAllocatesNothing(String parts) {
    Strategy strategy =
        Strategy.parse(
            "test.yaml",
            """
            strategy: { %s,
              oracles: { size: oracle.size-bloom, popularity: oracle.popularity-space-saving },
              facts: [pending-reads, service-time] }
            """
                .formatted(parts),
            Host.simulator(() -> 0, () -> 42));
    ClusterState state = new ClusterState(8);
    for (int node = 0; node < 8; node++) {
      strategy.selector().answered(node, 1, 1_000 + node, state);
    }
    strategy.sizes().learn(null, 3, 1 << 20);
    Request request = new Request();
    SplittableRandom random = new SplittableRandom(7);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    plan(strategy, state, request, random);
    long before = threads.getCurrentThreadAllocatedBytes();
    plan(strategy, state, request, random);
    long perPlan = (threads.getCurrentThreadAllocatedBytes() - before) / REPEATS;

    // One-off allocations of the virtual machine vanish in the mean.
    assertThat(perPlan).isZero();
  }

  private static void plan(
      Strategy strategy, ClusterState state, Request request, SplittableRandom random) {
    for (int repeat = 0; repeat < REPEATS; repeat++) {
      request.begin(0, random, 8);
      for (int read = 0; read < 20; read++) {
        request.addRead(null, read, 1);
        for (int i = 0; i < 3; i++) {
          request.addReplica((read + i) % 8, 0);
        }
      }
      strategy.plan(request, state);
    }
  }
}
