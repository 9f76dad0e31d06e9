/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.contention.proc.JvmThreads;
import dev.manx.contention.proc.Proc;
import dev.manx.lab.kind.UpkeepMeter.Upkeep;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UpkeepMeterTest {
  /** Otherwise the time of a window would be below 0. */
  @Test
  void theTimeOfAThreadThatHasEndedStays() {
    UpkeepMeter meter = new UpkeepMeter();
    assertThat(meter.add(new JvmThreads(Map.of("7", 10.0, "8", 20.0), Map.of("9", 1.0))))
        .isEqualTo(new Upkeep(30, 1));
    assertThat(meter.add(new JvmThreads(Map.of("7", 10.5), Map.of("9", 1.5))))
        .isEqualTo(new Upkeep(30.5, 1.5));
    assertThat(meter.add(new JvmThreads(Map.of("7", 10.5, "11", 0.25), Map.of("9", 1.5))))
        .isEqualTo(new Upkeep(30.75, 1.5));
  }

  @Test
  void thisJvmHasCompiledSomething() {
    long pid = ProcessHandle.current().pid();
    Upkeep upkeep = new UpkeepMeter().read(pid);
    assertThat(upkeep.compilerSeconds()).isPositive();
    assertThat(upkeep.collectorSeconds()).isPositive();
    assertThat(upkeep.compilerSeconds() + upkeep.collectorSeconds())
        .isLessThan(Proc.cpuSeconds(pid) + 0.1);
  }

  @Test
  void aProcessThatIsNotThereHasNone() {
    assertThat(new UpkeepMeter().read(-1).compilerSeconds()).isNaN();
  }
}
