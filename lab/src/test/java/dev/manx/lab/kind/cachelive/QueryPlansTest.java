/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import dev.manx.lab.kind.cachelive.LiveSettings.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QueryPlansTest {
  private static final int REQUESTS = 20_000;

  private static BackendPlan backend(String name, double in, double batch, double zipf) {
    return new BackendPlan(name, Kind.FILE, 1_000, 100, in, batch, zipf, 1, 0);
  }

  private final BackendPlan often = backend("often", 0.7, 3, 0.9);
  private final BackendPlan seldom = backend("seldom", 0.1, 1, 0);
  private final QueryPlans plans = new QueryPlans(List.of(often, seldom), 7, Optional.empty());

  @Test
  void aRequestIsAFunctionOfSeedAndNumber() {
    QueryPlans same = new QueryPlans(List.of(often, seldom), 7, Optional.empty());
    QueryPlans other = new QueryPlans(List.of(often, seldom), 8, Optional.empty());
    int different = 0;
    for (long number = 0; number < 100; number++) {
      assertThat(same.of(number, 0)).isEqualTo(plans.of(number, 0));
      different += other.of(number, 0).equals(plans.of(number, 0)) ? 0 : 1;
    }
    assertThat(different).isGreaterThan(80);
  }

  @Test
  void sharesAndBatchesAreAsAskedFor() {
    Map<BackendPlan, Integer> requests = new HashMap<>();
    Map<BackendPlan, Integer> keys = new HashMap<>();
    Map<Integer, Integer> hot = new HashMap<>();
    for (long number = 0; number < REQUESTS; number++) {
      Map<BackendPlan, Set<Integer>> plan = plans.of(number, 0);
      assertThat(plan).isNotEmpty();
      plan.forEach(
          (backend, asked) -> {
            requests.merge(backend, 1, Integer::sum);
            keys.merge(backend, asked.size(), Integer::sum);
            assertThat(asked).allMatch(key -> key >= 0 && key < 1_000);
            if (backend == often) {
              asked.forEach(key -> hot.merge(key, 1, Integer::sum));
            }
          });
    }
    // 27 % of requests would query neither and query one of the two instead
    assertThat(requests.get(often) / (double) REQUESTS).isCloseTo(0.7 + 0.135, within(0.02));
    assertThat(requests.get(seldom) / (double) REQUESTS).isCloseTo(0.1 + 0.135, within(0.02));
    assertThat(keys.get(seldom)).isEqualTo(requests.get(seldom));
    // less than 3 by repeated draws of the same key
    assertThat(keys.get(often) / (double) requests.get(often)).isBetween(2.6, 3.1);
    assertThat(hot.get(0)).isGreaterThan(20 * hot.getOrDefault(900, 1));
  }

  /** Requests for successive other keys of one backend, as long as there are any. */
  @Test
  void hotKeysMoveAndComeBack() {
    BackendFaults.Shift shift = new BackendFaults.Shift("often", 0.3, 2_000, 5_000, 6_000);
    QueryPlans moving = new QueryPlans(List.of(often, seldom), 7, Optional.of(shift));
    long[][] movedAt = {{0, 0}, {4_999, 0}, {5_000, 300}, {7_000, 600}, {9_999, 900}, {11_000, 0}};
    for (long[] at : movedAt) {
      for (long number = 0; number < 50; number++) {
        Map<BackendPlan, Set<Integer>> plain = plans.of(number, at[0]);
        Map<BackendPlan, Set<Integer>> moved = moving.of(number, at[0]);
        assertThat(moved.keySet()).isEqualTo(plain.keySet());
        assertThat(moved.get(seldom)).isEqualTo(plain.get(seldom));
        if (plain.containsKey(often)) {
          assertThat(moved.get(often))
              .containsExactlyElementsOf(
                  plain.get(often).stream().map(key -> (int) ((key + at[1]) % 1_000)).toList());
        }
      }
    }
  }
}
