/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A node's reported slowness while many of its reads are of one key. */
@Timeout(30)
class LocalLoadKeysTest {
  private static final long FORECAST = 200_000;
  private static final long KEY = 0x5DEE_CE66_D123_4567L;

  @Test
  void anExpensiveAndFrequentlyReadKeyDoesNotMakeTheNodeLookSlow() {
    long seed = 11;
    SplittableRandom random = new SplittableRandom(seed);
    LocalLoad load = new LocalLoad();
    long now = 0;
    for (int i = 0; i < 100_000; i++) {
      boolean dear = random.nextInt(10) < 3;
      long service = dear ? 100 * FORECAST : FORECAST;
      now += service;
      load.sampled(false, now, service, FORECAST, dear ? KEY : random.nextLong());
    }
    // A read in 256 takes a hundred times as long: 1 + 99 / 256 * 0.7, and chance.
    assertThat(slowness(load)).as("seed %d", seed).isBetween(1.0, 1.7);
    assertThat(load.serviceNanos()).as("a mean of all reads").isGreaterThan(10 * FORECAST);
  }

  @Test
  void aNodeThatTakesTwiceAsLongIsDetectedAlthoughMostReadsAreOfFewKeys() {
    long seed = 12;
    SplittableRandom random = new SplittableRandom(seed);
    LocalLoad load = new LocalLoad();
    for (int i = 0; i < 200_000; i++) {
      load.enqueued(FORECAST);
      load.started(FORECAST);
      load.finished(
          false, 2 * FORECAST * i, 2 * FORECAST, FORECAST, KEY * (1 + random.nextInt(20)));
    }
    assertThat(slowness(load)).as("seed %d", seed).isEqualTo(2.0);
    assertThat(load.completedReads()).isEqualTo(200_000);
    assertThat(load.pendingReads()).isZero();
  }

  private static double slowness(LocalLoad load) {
    return load.value(FactColumn.SLOWNESS) / (double) Slowness.UNIT;
  }
}
