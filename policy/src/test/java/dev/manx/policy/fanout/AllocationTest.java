/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.manx.policy.Request;
import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.strategy.Strategy;
import java.lang.management.ManagementFactory;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Planning a request of 20 reads allocates nothing. */
class AllocationTest {
  private static final int REPEATS = 2_000;

  @ParameterizedTest
  @ValueSource(strings = {"stock", "random", "lor", "low", "c3"})
  void planningAllocatesNothing(String selector) {
    Strategy strategy =
        Strategy.parse(
            "test.yaml",
            """
            strategy:
              select: select.%s
              fanout: { policy: fanout.brb-equalmax, longest-first: true }
              oracles: { size: oracle.size-bloom }
              facts: [pending-reads, service-time]
            """
                .formatted(selector),
            () -> 0);
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

    // One-off allocations of the virtual machine itself disappear in the mean.
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
