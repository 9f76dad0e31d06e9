/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
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
            List.of(Widths.fixed(0.5, 5, 0.4), Widths.fixed(0.5, 5, -1)), PARETO, 300, 20, 0.9),
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

  private static Stream<SyntheticSpec> skewed() {
    Sizes small = new Sizes.Two(100, 9_000, 0);
    Sizes some = new Sizes.Two(100, 9_000, 0.3);
    return Stream.of(
        new SyntheticSpec(List.of(Widths.fixed(1, 100, -1)), small, 1_000, 0, 1.3),
        new SyntheticSpec(List.of(Widths.fixed(1, 100, -1)), small, 100, 0, 0),
        new SyntheticSpec(List.of(Widths.fixed(1, 100, -1)), PARETO, 100, 0, 1.3),
        new SyntheticSpec(List.of(Widths.fixed(1, 100, 0.4)), small, 60, 40, 1.3),
        new SyntheticSpec(List.of(Widths.fixed(1, 100, 0.4)), PARETO, 60, 40, 1.3),
        new SyntheticSpec(List.of(Widths.fixed(1, 100, -1)), some, 1_000, 0, 1.3),
        new SyntheticSpec(List.of(Widths.fixed(1, 100, -1)), some, 100, 100, 1.3),
        new SyntheticSpec(List.of(Widths.geometric(20, 100)), small, 100, 0, 10));
  }

  /** The hottest of a thousand keys was read some forty times by a request of a hundred reads. */
  @ParameterizedTest
  @MethodSource("skewed")
  void aRequestReadsEachKeyOnce(SyntheticSpec spec) {
    SyntheticSource source = new SyntheticSource(spec, new Streams(1), 5);
    Draw draw = new Draw();
    for (int request = 0; request < 200; request++) {
      source.next(draw);
      Set<Long> keys = new HashSet<>();
      for (int read = 0; read < draw.reads(); read++) {
        keys.add(draw.keyHash(read));
      }
      assertThat(keys).hasSize(draw.reads());
    }
  }

  private static Stream<SyntheticSpec> withShares() {
    List<Widths> both = List.of(Widths.fixed(0.5, 10, 0), Widths.fixed(0.5, 10, 0.4));
    Sizes two = new Sizes.Two(100, 9_000, 0.3);
    Sizes leaking = new Sizes.GeneralizedPareto(214.476, 0.348238, 9_000, 300);
    return Stream.of(
        new SyntheticSpec(both, two, 0, 0, 0),
        new SyntheticSpec(both, two, 300, 20, 0.9),
        new SyntheticSpec(both, leaking, 0, 0, 0),
        new SyntheticSpec(both, leaking, 300, 20, 0));
  }

  /** `large-share` and a Pareto's tail added further large values, even to a share of 0. */
  @ParameterizedTest
  @MethodSource("withShares")
  void otherReadsOfARequestWithAShareOfLargeValuesAreSmall(SyntheticSpec spec) {
    SyntheticSource source = new SyntheticSource(spec, new Streams(1), 5);
    Draw draw = new Draw();
    double bytes = 0;
    int requests = 40_000;
    for (int request = 0; request < requests; request++) {
      source.next(draw);
      int large = 0;
      for (int read = 0; read < draw.reads(); read++) {
        large += draw.bytes(read) >= spec.largeFromBytes() ? 1 : 0;
        bytes += draw.bytes(read);
      }
      assertThat(large).isIn(0, 4);
      assertThat(draw.large()).isEqualTo(large > 0);
    }
    assertThat(bytes / requests / 10).isCloseTo(spec.meanBytes(), withinPercentage(1));
  }

  /** A different key would change the results of every workload of single reads. */
  @Test
  void singleReadsFollowThePopularity() {
    SyntheticSpec spec =
        new SyntheticSpec(
            List.of(Widths.fixed(1, 1, -1)), new Sizes.Two(100, 101, 0), 1_000, 0, 1.3);
    SyntheticSource source = new SyntheticSource(spec, new Streams(1), 5);
    DiscreteSampler ranks =
        RejectionInversionZipfSampler.of(new Streams(1).sampler(Purpose.KEYS), 1_000, 1.3);
    Draw draw = new Draw();
    for (int request = 0; request < 1_000; request++) {
      source.next(draw);
      long rank = ranks.sample();
      assertThat(draw.keyHash(0)).isEqualTo(Streams.mix(rank * 0x9E3779B97F4A7C15L + 1));
    }
  }

  @Test
  void eachReadOfTheWidestRequestNeedsAKey() {
    List<Widths> kinds = List.of(Widths.fixed(1, 10, 0.4));
    Sizes sizes = new Sizes.Two(100, 101, 0);
    assertThatThrownBy(() -> new SyntheticSpec(kinds, sizes, 5, 4, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SyntheticSpec(kinds, sizes, 6, 3, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(new SyntheticSpec(kinds, sizes, 6, 4, 0).keys()).isEqualTo(6);
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
