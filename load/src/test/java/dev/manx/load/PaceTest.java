/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PaceTest {
  private static final long SECOND = 1_000_000_000L;

  private static final class Time implements Pacer {
    private long now = -5;

    @Override
    public long nanoTime() {
      return now;
    }

    @Override
    public void await(long nanoTime) {
      now = Math.max(now, nanoTime);
    }
  }

  @Test
  void stepsAreApartAlsoAfterAPause() {
    Time time = new Time();
    Pace pace = new Pace(time, 4);
    pace.await();
    assertThat(time.now).isEqualTo(-5);
    pace.await();
    assertThat(time.now).isEqualTo(-5 + SECOND / 4);
    time.now = 3 * SECOND;
    pace.await();
    assertThat(time.now).as("late already").isEqualTo(3 * SECOND);
    pace.await();
    assertThat(time.now).as("no burst").isEqualTo(3 * SECOND + SECOND / 4);
  }
}
