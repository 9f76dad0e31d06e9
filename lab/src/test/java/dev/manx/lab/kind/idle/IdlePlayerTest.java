/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.idle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.contention.proc.CpuQuota;
import dev.manx.contention.proc.MachineTime;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.kind.idle.IdlePlayer.CpuEdge;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The noise of a turn. */
class IdlePlayerTest {
  private static final Path STATISTICS = Path.of("cpu.stat");

  private static CpuEdge edge(double seconds, double stealSeconds, Optional<CpuQuota> quota) {
    MachineTime machine = new MachineTime(seconds, stealSeconds, 2);
    return new CpuEdge((long) (seconds * 1e9), seconds, machine, quota);
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
}
