/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BalancedOrderTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 8})
  void everyArmStandsEquallyOftenInEveryPlace(int arms) {
    List<Integer> all = IntStream.range(0, arms).boxed().toList();
    for (long seed = 1; seed <= 6; seed++) {
      int[][] times = new int[arms][arms];
      for (int round = 1; round <= 3 * arms; round++) {
        List<Integer> order = BalancedOrder.of(all, seed, round);
        assertThat(order).containsExactlyInAnyOrderElementsOf(all);
        assertThat(BalancedOrder.of(all, seed, round)).isEqualTo(order);
        for (int place = 0; place < arms; place++) {
          times[order.get(place)][place]++;
        }
      }
      for (int[] places : times) {
        assertThat(places).containsOnly(3);
      }
    }
  }

  /** The number of rounds that a report names. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 12})
  void neighboursAreBalancedAfterThatManyRounds(int arms) {
    List<Integer> all = IntStream.range(0, arms).boxed().toList();
    int[][] times = new int[arms][arms];
    for (int round = 1; round <= BalancedOrder.rounds(arms); round++) {
      List<Integer> order = BalancedOrder.of(all, 1, round);
      for (int place = 1; place < arms; place++) {
        times[order.get(place - 1)][order.get(place)]++;
      }
    }
    for (int arm = 0; arm < arms; arm++) {
      for (int other = 0; other < arms; other++) {
        assertThat(times[arm][other]).isEqualTo(arm == other ? 0 : 1 + arms % 2);
      }
    }
  }

  /** A round's turns leave states behind, which meet each other arm equally often. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 4, 5, 6, 7, 8, 12})
  void everyArmFollowsEveryOtherEquallyOften(int arms) {
    List<Integer> all = IntStream.range(0, arms).boxed().toList();
    for (long seed = 1; seed <= 6; seed++) {
      int[][] times = new int[arms][arms];
      for (int round = 1; round <= 4 * arms; round++) {
        List<Integer> order = BalancedOrder.of(all, seed, round);
        for (int place = 1; place < arms; place++) {
          times[order.get(place - 1)][order.get(place)]++;
        }
      }
      for (int arm = 0; arm < arms; arm++) {
        for (int other = 0; other < arms; other++) {
          assertThat(times[arm][other]).isEqualTo(arm == other ? 0 : 4);
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 4, 8})
  void neighbouringSeedsAndBlocksGiveOtherOrders(int arms) {
    List<Integer> all = IntStream.range(0, arms).boxed().toList();
    Set<List<Integer>> firstOfBlocks = new HashSet<>();
    Set<List<Integer>> firstOfSeeds = new HashSet<>();
    for (int i = 0; i < 24; i++) {
      firstOfBlocks.add(BalancedOrder.of(all, 1, 1 + i * arms));
      firstOfSeeds.add(BalancedOrder.of(all, 1 + i, 1));
    }
    assertThat(firstOfBlocks).hasSizeGreaterThan(arms == 2 ? 1 : 6);
    assertThat(firstOfSeeds).hasSizeGreaterThan(arms == 2 ? 1 : 6);
  }
}
