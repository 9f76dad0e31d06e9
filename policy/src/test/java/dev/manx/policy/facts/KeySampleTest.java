/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.facts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class KeySampleTest {
  private static final long KEY = 0x1234_5678_9ABC_DEF0L;

  @Test
  void takesAKeyAgainAfterAsManyReads() {
    KeySample sample = new KeySample();
    assertThat(sample.takes(KEY)).isTrue();
    for (int i = 1; i < KeySample.APART; i++) {
      assertThat(sample.takes(KEY)).as("read %d", i).isFalse();
    }
    assertThat(sample.takes(KEY)).isTrue();
  }

  @Test
  void takesTheFirstReadOfEveryKey() {
    KeySample sample = new KeySample();
    assertThat(sample.takes(0)).isTrue();
    assertThat(sample.takes(-1)).isTrue();
    assertThat(sample.takes(KEY)).isTrue();
  }

  @Test
  void aKeyThatIsEveryOtherReadIsTakenOnceInAsMany() {
    KeySample sample = new KeySample();
    SplittableRandom random = new SplittableRandom(3);
    int often = 0;
    int others = 0;
    int reads = 100_000;
    for (int i = 0; i < reads; i++) {
      if (i % 2 == 0) {
        often += sample.takes(KEY) ? 1 : 0;
      } else {
        others += sample.takes(random.nextLong()) ? 1 : 0;
      }
    }
    assertThat(others).as("reads of keys that never return").isEqualTo(reads / 2);
    // Another key takes its slot once in two thousand reads.
    assertThat(often).isBetween(reads / KeySample.APART, 5 * reads / KeySample.APART / 4);
  }
}
