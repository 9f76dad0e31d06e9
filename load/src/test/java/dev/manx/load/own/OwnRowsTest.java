/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.load.Pace;
import dev.manx.load.Pacer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sampling of a table's rows. */
class OwnRowsTest {
  private final TreeMap<Long, List<Object>> ring = new TreeMap<>();
  private final List<Long> tokens = new ArrayList<>();

  private List<List<Object>> sample(int tableRows, int most) {
    SplittableRandom random = new SplittableRandom(7);
    for (int row = 0; row < tableRows; row++) {
      ring.put(random.nextLong(), List.of(row));
    }
    return OwnRows.sample(
        token -> {
          tokens.add(token);
          return ring.tailMap(token).values().stream().limit(20).toList();
        },
        most,
        1,
        new Pace(Pacer.SYSTEM, 1e9));
  }

  @ParameterizedTest
  @CsvSource({"20, 1", "30, 2", "39, 2", "40, 2", "41, 3"})
  void asManyRowsAsAskedForAreSampledAtRandomPlaces(int most, int places) {
    assertThat(sample(100_000, most)).hasSize(most).doesNotHaveDuplicates();
    assertThat(tokens).hasSize(places).doesNotContain(Long.MIN_VALUE);
    assertThat(OwnRows.places(most)).isEqualTo(places);
  }

  @Test
  void aSmallTableIsSampledFromItsStartToo() {
    assertThat(sample(5, 200)).hasSize(5);
    assertThat(tokens).hasSize(11).endsWith(Long.MIN_VALUE);
  }

  @Test
  void anEmptyTableHasNone() {
    assertThat(sample(0, 20)).isEmpty();
  }
}
