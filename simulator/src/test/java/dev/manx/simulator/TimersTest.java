/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The timers of coordinators. */
class TimersTest {
  private static final long INTERVAL_NANOS = 100_000_000;

  private static List<Long> ticks(int seed) {
    List<Long> ticks = HearingPlanner.TICKS.get();
    ticks.clear();
    ModelSpec model = Models.cluster(List.of());
    RunSpec run = Models.run(model, Models.reads(1), 0.01, 200, seed);
    new Simulation(model, Models.reads(1), "strategy: { fanout: fanout.hearing }", run).run();
    return List.copyOf(ticks);
  }

  /** Coordinators that all recompute their scores at one instant change their choice together. */
  @Test
  void timersFireAtDifferentTimesAndEachAtItsInterval() {
    List<Long> ticks = ticks(1);
    assertThat(ticks).doesNotHaveDuplicates();
    Map<Long, List<Long>> byPhase =
        ticks.stream()
            .collect(
                Collectors.groupingBy(
                    nanos -> nanos % INTERVAL_NANOS, TreeMap::new, Collectors.toList()));
    assertThat(byPhase).as("coordinators").hasSize(3);
    byPhase.forEach(
        (phase, times) -> {
          assertThat(times.size()).isGreaterThan(3);
          for (int i = 0; i < times.size(); i++) {
            assertThat(times.get(i)).isEqualTo(phase + i * INTERVAL_NANOS);
          }
        });
    assertThat(ticks(1)).isEqualTo(ticks);
    assertThat(ticks(2)).isNotEqualTo(ticks);
  }
}
