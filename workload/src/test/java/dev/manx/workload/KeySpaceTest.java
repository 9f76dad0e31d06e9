/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KeySpaceTest {
  private static final List<SizeClass> SIZES =
      List.of(new SizeClass(1024, 0.95), new SizeClass(65536, 0.05));

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 42, -9})
  void sharesHold(long seed) {
    int keys = 100_000;
    KeySpace space = new KeySpace(keys, SIZES, 65536, seed);
    long large = 0;
    for (int id = 0; id < keys; id++) {
      large += space.large(id) ? 1 : 0;
    }
    double fiveSigma = 5 * Math.sqrt(0.05 * 0.95 / keys);
    assertThat(large / (double) keys).as("seed %d", seed).isCloseTo(0.05, within(fiveSigma));
    assertThat(space.totalBytes()).isEqualTo(large * 65536 + (keys - large) * 1024);
  }

  @Test
  void keysCarryTheirSize() {
    KeySpace space = new KeySpace(1000, SIZES, 65536, 7);
    for (int id = 0; id < 1000; id++) {
      assertThat(space.key(id)).isEqualTo(space.valueBytes(id) + "_" + id);
      assertThat(CheckedValues.encodedBytes(space.key(id), -1)).isEqualTo(space.valueBytes(id));
    }
  }

  @Test
  void sameSeedSameSizesOtherSeedOthers() {
    KeySpace one = new KeySpace(1000, SIZES, 65536, 7);
    KeySpace more = new KeySpace(2000, SIZES, 65536, 7);
    KeySpace other = new KeySpace(1000, SIZES, 65536, 8);
    int differences = 0;
    for (int id = 0; id < 1000; id++) {
      assertThat(more.valueBytes(id)).isEqualTo(one.valueBytes(id));
      differences += one.valueBytes(id) == other.valueBytes(id) ? 0 : 1;
    }
    assertThat(differences).isGreaterThan(20);
  }

  @Test
  void badSettingsAreRefused() {
    assertThatThrownBy(() -> new KeySpace(0, SIZES, 1, 1)).hasMessageContaining("but has 0");
    assertThatThrownBy(() -> new KeySpace(9, List.of(new SizeClass(99, 0.5)), 1, 1))
        .hasMessageContaining("sum to 0.5, not to 1");
    assertThatThrownBy(() -> new SizeClass(27, 1)).hasMessageContaining("at least 28 bytes");
    assertThatThrownBy(() -> new SizeClass(28, 0)).hasMessageContaining("(0, 1]");
    KeySpace space = new KeySpace(9, SIZES, 1, 1);
    assertThatThrownBy(() -> space.key(9)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
