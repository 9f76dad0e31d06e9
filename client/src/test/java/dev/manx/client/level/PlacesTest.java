/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PlacesTest {
  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger troubles = new AtomicInteger();
  private final Places places = new Places(now::get, troubles::incrementAndGet);

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      places.failed("a");
    }
  }

  private void passMillis(long millis) {
    now.addAndGet(TimeUnit.MILLISECONDS.toNanos(millis));
  }

  @Test
  void threeFailuresInARowLoseOneServerAndNoOther() {
    fail(2);
    places.answered("a");
    fail(2);
    assertThat(places.mayAsk("a")).isTrue();
    assertThat(troubles).hasValue(0);
    fail(1);
    assertThat(places.mayAsk("a")).isFalse();
    assertThat(places.mayAsk("b")).isTrue();
    assertThat(troubles).hasValue(1);
  }

  @Test
  void trialsComeAfterWaitsThatDoubleUpToTwoSeconds() {
    fail(3);
    for (long wait : new long[] {100, 200, 400, 800, 1_600, 2_000, 2_000}) {
      passMillis(wait - 1);
      assertThat(places.mayAsk("a")).isFalse();
      passMillis(1);
      assertThat(places.mayAsk("a")).isTrue();
      assertThat(places.mayAsk("a")).as("one trial at once").isFalse();
      fail(1);
    }
    places.answered("a");
    assertThat(places.mayAsk("a")).isTrue();
    assertThat(places.mayAsk("a")).isTrue();
  }

  /**
   * Otherwise a connection would be replaced for each operation in progress on the previous one.
   */
  @Test
  void operationsUnderWayAtALossAreNoFurtherTrouble() {
    fail(50);
    assertThat(troubles).hasValue(1);
    passMillis(100);
    assertThat(places.mayAsk("a")).isTrue();
    fail(50);
    assertThat(troubles).hasValue(2);
  }
}
