/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.contention.proc.CoreTime;
import dev.manx.contention.proc.CpuQuota;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.kind.idle.IdlePlayer.CpuEdge;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The noise of a turn. */
class IdlePlayerTest {
  private static final Path STATISTICS = Path.of("cpu.stat");

  /** Core 0 idles, core 1 is busy; each has half of the stolen time. */
  private static CpuEdge edge(double seconds, double stealSeconds, Optional<CpuQuota> quota) {
    CoreTime idle = new CoreTime(seconds, stealSeconds / 2);
    CoreTime busy = new CoreTime(0, stealSeconds / 2);
    return new CpuEdge(
        (long) (seconds * 1e9), seconds, List.of(0, 1), Map.of(0, idle, 1, busy), quota);
  }

  private static Optional<CpuQuota> throttled(double seconds) {
    return Optional.of(new CpuQuota(1, Map.of(STATISTICS, seconds)));
  }

  private static Measured measured(CpuEdge from, CpuEdge to) {
    Measured measured = new Measured(0, 2);
    from.metrics(to, 10, measured);
    return measured;
  }

  /** Such a turn counted as quiet. */
  @Test
  void timeThrottledByAQuotaIsStolen() {
    Measured held = measured(edge(0, 0, throttled(5)), edge(2, 1, throttled(6.5)));
    assertThat(held.stolenCores()).isEqualTo(1.25);
    assertThat(held.value("throttled_pct")).as("of one core").isEqualTo(75);
    Measured free = measured(edge(0, 0, Optional.empty()), edge(2, 1, Optional.empty()));
    assertThat(free.stolenCores()).isEqualTo(0.5);
    assertThat(free.value("throttled_pct")).as("without a quota").isNaN();
  }

  /** Two texts of /proc/stat, two seconds apart. */
  private static final String BEFORE =
      """
      cpu  900 0 100 1900 100 0 0 40 0 0
      cpu0 700 0 50 200 50 0 0 20 0 0
      cpu1 200 0 50 1700 50 0 0 20 0 0
      intr 1 2 3
      """;

  private static final String AFTER =
      """
      cpu  1150 0 120 2000 120 0 0 50 0 0
      cpu0 880 0 70 200 50 0 0 20 0 0
      cpu1 270 0 50 1800 70 0 0 30 0 0
      intr 1 2 3
      """;

  private static Measured on(List<Integer> cores, double workerSeconds) {
    CpuEdge from = new CpuEdge(0, 3, cores, CoreTime.parse(BEFORE), Optional.empty());
    CpuEdge to =
        new CpuEdge(
            2_000_000_000L, 3 + workerSeconds, cores, CoreTime.parse(AFTER), Optional.empty());
    return measured(from, to);
  }

  /** Core 0 was full of another program's work, 70 of 200 ticks of core 1 were the worker's. */
  @Test
  void onlyTheCoresOfTheWorkerCount() {
    Measured pinned = on(List.of(1), 0.7);
    assertThat(pinned.value("cpu_pct_foreign")).isCloseTo(0, within(1e-9));
    assertThat(pinned.stolenCores()).isCloseTo(0.05, within(1e-9));
    assertThat(pinned.value("cpu_pct_worker")).isCloseTo(35, within(1e-9));
    assertThat(pinned.value("cpu_pct_steal")).isCloseTo(5, within(1e-9));
    assertThat(pinned.value("cpu_us_per_operation")).isCloseTo(70_000, within(1e-6));
    assertThat(on(List.of(0, 1), 0.7).value("cpu_pct_foreign")).isCloseTo(50, within(1e-9));
    assertThat(on(List.of(1), 0.5).value("cpu_pct_foreign")).isCloseTo(10, within(1e-9));
    Measured elsewhere = on(List.of(1, 2), 0.7);
    assertThat(elsewhere.value("cpu_pct_foreign")).as("core 2 is numbered otherwise").isNaN();
    assertThat(elsewhere.stolenCores()).isNaN();
  }

  @Test
  void withoutAnOperationThereIsNoCostOfOne() {
    Measured none = new Measured(0, 2);
    CpuEdge from = edge(0, 0, Optional.empty());
    from.metrics(edge(2, 1, Optional.empty()), 0, none);
    assertThat(none.value("cpu_us_per_operation")).isNaN();
  }
}
