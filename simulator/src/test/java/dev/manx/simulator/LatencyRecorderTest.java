/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.simulator.ModelSpec.Place;
import dev.manx.simulator.ModelSpec.Trouble;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LatencyRecorderTest {
  private static final long MILLI = 1_000_000;

  @Test
  void recoveryIsMeasuredOfFaultsThatEnd() {
    Fault once = Fault.of(0, Trouble.SLOW, 1_000 * MILLI, 2_000 * MILLI, 0.5);
    Fault always = new Fault(Place.NODE, 0, Trouble.PAUSED, 0, 100 * MILLI, 1_000 * MILLI, 1, 0);
    assertThat(LatencyRecorder.recoveryFrom(List.of(once))).isNotNull();
    assertThat(LatencyRecorder.recoveryFrom(List.of())).isNull();
    assertThat(LatencyRecorder.recoveryFrom(List.of(once, always))).isNull();
  }
}
