/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.Request;
import dev.manx.policy.strategy.Strategy;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What Manx's planners have in common beyond the contract: they rank by the bottleneck. */
class OwnPlannersTest {
  static Stream<Strategy> strategies() {
    return PlannerContractTest.strategies();
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void prioritiesAndSlackFollowFromTheBottleneck(Strategy strategy) {
    boolean byIncrease = strategy.names().get("fanout").equals("fanout.brb-unifincr");
    for (long seed = 0; seed < 200; seed++) {
      Request request = PlannerContractTest.planned(strategy, seed);
      long[] opsetCost = PlannerContractTest.opsetCosts(request);
      long bottleneck = Arrays.stream(opsetCost).max().orElse(0);
      assertThat(request.bottleneck()).as("seed %d", seed).isEqualTo(bottleneck);
      for (int read = 0; request.tagged() && read < request.reads(); read++) {
        assertThat(request.priority(read))
            .as("seed %d", seed)
            .isEqualTo(byIncrease ? Math.max(0, bottleneck - request.cost(read)) : bottleneck);
        long costliest = 0;
        for (int rank = 0; rank < request.contacts(read); rank++) {
          costliest = Math.max(costliest, opsetCost[request.replica(read, rank)]);
        }
        assertThat(request.slack(read)).as("seed %d", seed).isEqualTo(bottleneck - costliest);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("strategies")
  void readsAreSentAsAddedOrCostliestFirst(Strategy strategy) {
    for (long seed = 0; seed < 200; seed++) {
      Request request = PlannerContractTest.planned(strategy, seed);
      Stream<Integer> reads = IntStream.range(0, request.reads()).boxed();
      if (request.longestFirst()) {
        reads = reads.sorted(Comparator.comparingLong((Integer read) -> -request.costNanos(read)));
      }
      assertThat(Arrays.copyOf(request.order(), request.reads()))
          .as("seed %d", seed)
          .containsExactly(reads.mapToInt(read -> read).toArray());
    }
  }
}
