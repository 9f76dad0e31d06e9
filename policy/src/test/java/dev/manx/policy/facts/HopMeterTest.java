/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HopMeterTest {
  private static final int SELF = 0;
  private static final int NODES = 4;
  private final HopMeter meter = new HopMeter(8);

  @Test
  void theHopIsTheLeastResponseThereMinusTheLeastHere() {
    meter.answered(SELF, 900_000);
    meter.answered(SELF, 100_000);
    meter.answered(1, 450_000);
    meter.answered(1, 7_000_000);
    meter.roll();
    assertThat(hop(1)).isEqualTo(350_000);
    assertThat(hop(SELF)).isZero();
  }

  @Test
  void aQueueThatFormsDoesNotRaiseItWithinAWindow() {
    meter.answered(SELF, 100_000);
    meter.answered(1, 400_000);
    meter.roll();
    meter.answered(SELF, 100_000);
    meter.answered(1, 9_000_000);
    meter.roll();
    assertThat(hop(1)).as("the previous window counts").isEqualTo(300_000);
    meter.answered(SELF, 100_000);
    meter.answered(1, 900_000);
    meter.roll();
    assertThat(hop(1)).as("an eighth of the way from 400 to 900 us").isEqualTo(362_500);
  }

  @Test
  void aLowerLeastCountsAtOnce() {
    meter.answered(SELF, 100_000);
    meter.answered(1, 5_000_000);
    meter.roll();
    meter.answered(SELF, 100_000);
    meter.answered(1, 300_000);
    meter.roll();
    assertThat(hop(1)).isEqualTo(200_000);
  }

  @Test
  void anUnmeasuredNodeCountsAsTheMeanOfTheMeasured() {
    assertThat(hop(1)).isEqualTo(HopMeter.UNKNOWN_NANOS);
    meter.answered(SELF, 100_000);
    meter.answered(1, 300_000);
    meter.answered(2, 500_000);
    meter.roll();
    assertThat(hop(3)).isEqualTo(300_000);
  }

  @Test
  void withoutReadsAtHomeOnlyDifferencesAreKnown() {
    meter.answered(1, 2_000_000);
    meter.answered(2, 2_500_000);
    meter.roll();
    assertThat(hop(1)).isEqualTo(HopMeter.UNKNOWN_NANOS);
    assertThat(hop(2)).isEqualTo(HopMeter.UNKNOWN_NANOS + 500_000);
  }

  @Test
  void isBounded() {
    meter.answered(SELF, 5_000_000);
    meter.answered(1, 1_000_000);
    meter.answered(2, 60_000_000_000L);
    meter.answered(77, 1);
    meter.roll();
    assertThat(hop(1)).as("never below home").isZero();
    assertThat(hop(2)).isEqualTo(HopMeter.MOST_NANOS);
  }

  @Test
  void keepsTheHopOfANodeWithoutReadsForAWhileAndThenForgetsIt() {
    meter.answered(1, 200_000);
    roll(20);
    assertThat(hop(1)).isEqualTo(100_000);
    roll(20);
    assertThat(hop(1)).as("as node 2").isEqualTo(1_000_000);
  }

  @Test
  void anIdsNextOwnerBeginsUnknown() {
    meter.answered(SELF, 100_000);
    meter.answered(1, 400_000);
    meter.roll();
    meter.forget(1);
    assertThat(hop(1)).isEqualTo(HopMeter.UNKNOWN_NANOS);
  }

  private void roll(int windows) {
    for (int window = 0; window < windows; window++) {
      meter.answered(SELF, 100_000);
      meter.answered(2, 1_100_000);
      meter.roll();
    }
  }

  private long hop(int node) {
    return meter.hopNanos(node, SELF, NODES);
  }
}
