/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The sample of requests that are planned while all is calm. */
@Timeout(60)
class ThreadPlanTest {
  private static final int DRAWS = 100_000;
  private static final long SEED = 7;

  @Test
  void aNarrowRequestInTheSampleIsPlanned() {
    for (int width = 1; width <= 8; width++) {
      assertThat(planned(width)).isEqualTo(DRAWS);
    }
  }

  /** A request of 9 keys in 8 of 9 cases, one of 100 in 8 of 100, one of 1000 in 8 of 1000. */
  @Test
  void ofAWideOneEightReadsArePlannedOnAverage() {
    for (int width : new int[] {9, 16, 100, 1_000}) {
      double reads = (double) planned(width) * width / DRAWS;
      // 100,000 draws leave the count of the rarest, 800, within 5 standard deviations of 28.
      assertThat(reads).as("reads of requests of %d keys", width).isCloseTo(8, within(1.5));
    }
  }

  private static int planned(int width) {
    SplittableRandom random = new SplittableRandom(SEED);
    int planned = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      planned += ThreadPlan.plansSampled(width, random) ? 1 : 0;
    }
    return planned;
  }
}
