/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CpuLimitTest {
  private static Duration cpu(Process process) {
    return process.info().totalCpuDuration().orElse(Duration.ZERO);
  }

  @Test
  void aProcessGetsNoMoreThanItsQuota() throws Exception {
    Process spinning = new ProcessBuilder("sh", "-c", "while :; do :; done").start();
    try {
      Optional<CpuLimit> limit = CpuLimit.of(spinning.pid());
      assumeTrue(limit.isPresent(), "may not make a cgroup with a CPU quota here");
      try (CpuLimit quota = limit.get()) {
        quota.limit(0.1);
        Duration before = cpu(spinning);
        Thread.sleep(2_000);
        // 0.2 s are its due; a kernel that enforces nothing would give it most of 2 s
        assertThat(cpu(spinning).minus(before)).isLessThan(Duration.ofMillis(600));
        quota.lift();
        spinning.destroyForcibly().waitFor();
      }
      assertThat(CpuLimit.of(ProcessHandle.current().pid() + 4_000_000))
          .as("a process that is not there")
          .isEmpty();
    } finally {
      spinning.destroyForcibly();
    }
  }
}
