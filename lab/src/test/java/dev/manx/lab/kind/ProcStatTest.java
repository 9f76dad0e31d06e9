/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProcStatTest {
  @Test
  void readsProcEvenWithAHostileProgramName() {
    String stat = "42 (a ) b (c) S 1 42 42 0 -1 4194560 9 0 0 0 150 50 0 0 20 0 33 0 1 2 3";
    assertThat(ProcStat.processSeconds(stat)).isEqualTo(2.0);
    ProcStat.Machine machine = ProcStat.machine("cpu  100 20 30 900 40 5 5 70 0 0\ncpu0 1 1 1\n");
    assertThat(machine.busySeconds()).isEqualTo(1.6);
    assertThat(machine.stealSeconds()).isEqualTo(0.7);
  }

  @Test
  void thisJvmHasCompiledSomething() {
    long pid = ProcessHandle.current().pid();
    ProcStat.Upkeep upkeep = new UpkeepMeter().read(pid);
    assertThat(upkeep.compilerSeconds()).isPositive();
    assertThat(upkeep.collectorSeconds()).isPositive();
    assertThat(upkeep.compilerSeconds() + upkeep.collectorSeconds())
        .isLessThan(ProcStat.processSeconds(pid) + 0.1);
  }

  @Test
  void aProcessThatIsNotThereHasNone() {
    assertThat(new UpkeepMeter().read(-1).compilerSeconds()).isNaN();
  }
}
