/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.simulator.kernel.Streams;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SyntheticSourceTest {
  private static final Sizes PARETO = new Sizes.GeneralizedPareto(214.476, 0.348238, 9_000, 1_000);

  private static Stream<SyntheticSpec> specs() {
    return Stream.of(
        new SyntheticSpec(List.of(Widths.fixed(1, 5, -1)), PARETO, 300, 0, 0.9),
        new SyntheticSpec(List.of(Widths.fixed(1, 5, 0.4)), PARETO, 300, 20, 0.9),
        new SyntheticSpec(
            List.of(Widths.fixed(1, 5, 0.4)),
            new Sizes.GeneralizedPareto(214.476, 0.348238, 9_000, 10_000),
            300,
            0,
            0),
        new SyntheticSpec(
            List.of(Widths.fixed(1, 5, -1)), new Sizes.Two(100, 9_000, 0.1), 300, 20, 0.9));
  }

  /** The sizes of all keys read in a while; fails if one changes. */
  private static Map<Long, Integer> sizes(SyntheticSpec spec, long seed) {
    SyntheticSource source = new SyntheticSource(spec, new Streams(seed), 5);
    Map<Long, Integer> sizes = new HashMap<>();
    Draw draw = new Draw();
    for (int request = 0; request < 4_000; request++) {
      source.next(draw);
      for (int read = 0; read < draw.reads(); read++) {
        Integer before = sizes.put(draw.keyHash(read), draw.bytes(read));
        assertThat(before).as("key %d", draw.keyHash(read)).isIn(null, draw.bytes(read));
      }
    }
    return sizes;
  }

  /** Values of a Pareto distribution had another size at each read. */
  @ParameterizedTest
  @MethodSource("specs")
  void aKeysValueKeepsItsSize(SyntheticSpec spec) {
    assertThat(sizes(spec, 1)).hasSizeGreaterThan(250).isEqualTo(sizes(spec, 1));
  }

  @Test
  void aKeysSizeDependsOnTheSeedAndFollowsTheDistribution() {
    SyntheticSpec spec = new SyntheticSpec(List.of(Widths.fixed(1, 5, -1)), PARETO, 1 << 30, 0, 0);
    Map<Long, Integer> sizes = sizes(spec, 1);
    assertThat(sizes).hasSizeGreaterThan(19_900);
    assertThat(sizes.values().stream().mapToInt(bytes -> bytes).average().orElseThrow())
        .isEqualTo(PARETO.meanBytes(), within(20.0));
    SyntheticSpec few = new SyntheticSpec(List.of(Widths.fixed(1, 5, -1)), PARETO, 300, 0, 0);
    assertThat(sizes(few, 2).keySet()).isEqualTo(sizes(few, 1).keySet());
    assertThat(sizes(few, 2)).isNotEqualTo(sizes(few, 1));
  }
}
