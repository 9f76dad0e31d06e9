/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.kind.ProcStat.Threads;
import dev.manx.lab.kind.ProcStat.Upkeep;
import java.util.Map;
import org.junit.jupiter.api.Test;

class UpkeepMeterTest {
  /** Otherwise the time of a window would be below 0. */
  @Test
  void theTimeOfAThreadThatHasEndedStays() {
    UpkeepMeter meter = new UpkeepMeter();
    assertThat(meter.add(new Threads(Map.of("7", 10.0, "8", 20.0), Map.of("9", 1.0))))
        .isEqualTo(new Upkeep(30, 1));
    assertThat(meter.add(new Threads(Map.of("7", 10.5), Map.of("9", 1.5))))
        .isEqualTo(new Upkeep(30.5, 1.5));
    assertThat(meter.add(new Threads(Map.of("7", 10.5, "11", 0.25), Map.of("9", 1.5))))
        .isEqualTo(new Upkeep(30.75, 1.5));
  }
}
