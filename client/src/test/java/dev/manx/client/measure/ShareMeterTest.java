/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.ManualClock;
import org.junit.jupiter.api.Test;

/** Keys of the application, whose hash codes may be equal. */
class ShareMeterTest {
  private final ShareMeter<String, String> meter =
      new ShareMeter<>(
          null, () -> {}, new CurveSampler(1_000, new ManualClock()), (key, value) -> 10, 0);

  /** "Aa" and "BB" have the same hash code. */
  @Test
  void twoKeysOfOneHashCodeAreTwoKeys() {
    assertThat("Aa").hasSameHashCodeAs("BB");
    meter.keeps("Aa", "value");
    meter.keeps("BB", "value");
    assertThat(meter.curve().missRatio(1_000)).as("each was queried once").isEqualTo(1);
    meter.found("Aa", "value");
    meter.found("BB", "value");
    assertThat(meter.curve().missRatio(1_000)).isEqualTo(0.5);
    assertThat(meter.curve().missRatio(10)).as("the other was queried between").isEqualTo(1);
  }

  @Test
  void aValuePutForOneOfThemIsNotTheOthers() {
    meter.unasked().keeps("Aa", "value");
    meter.keeps("BB", "value");
    assertThat(meter.curve().missRatio(1_000)).isEqualTo(1);
    meter.found("Aa", "value");
    assertThat(meter.curve().missRatio(1_000)).isEqualTo(0.5);
  }
}
