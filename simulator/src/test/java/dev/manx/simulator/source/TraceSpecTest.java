/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.manx.simulator.kernel.Streams;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A trace is played in its order, from a request of the seed's on. */
class TraceSpecTest {
  private static final double[] TIMES = {1, 1, 4, 7};
  private static final int[] STARTS = {0, 1, 3, 4, 7};
  private static final int[] KEYS = {0, 0, 1, 2, 0, 1, 2};
  private static final int[] BYTES = {10, 20, 30, 4_000, 10, 20, 30};

  private static TraceSpec spec(boolean timed) {
    return new TraceSpec(TIMES, STARTS, KEYS, BYTES, 100, timed);
  }

  private static List<String> play(TraceSpec spec, long seed, int requests) {
    Source source = spec.open(new Streams(seed), 5, requests);
    Draw draw = new Draw();
    List<String> played = new ArrayList<>();
    for (int i = 0; i < requests; i++) {
      source.next(draw);
      StringBuilder text = new StringBuilder();
      for (int read = 0; read < draw.reads(); read++) {
        text.append(draw.bytes(read)).append('@').append(draw.home(read)).append(' ');
      }
      played.add(text.append(draw.large()).toString());
    }
    return played;
  }

  @Test
  void requestsKeepTheirOrderAndKeysTheirNodes() {
    List<String> one = play(spec(false), 1, 8);
    assertThat(one.subList(4, 8)).isEqualTo(one.subList(0, 4));
    assertThat(one).filteredOn(request -> request.endsWith("true")).hasSize(2);
    assertThat(play(spec(true), 1, 8)).isEqualTo(one);
    List<String> starts = new ArrayList<>();
    for (int seed = 1; seed <= 40; seed++) {
      starts.add(play(spec(false), seed, 1).get(0));
      assertThat(one).contains(starts.get(seed - 1));
    }
    assertThat(starts.stream().distinct()).as("each seed begins elsewhere").hasSize(4);
  }

  @Test
  void meansAreThoseOfTheTrace() {
    TraceSpec spec = spec(false);
    assertThat(spec.requests()).isEqualTo(4);
    assertThat(spec.reads()).isEqualTo(7);
    assertThat(spec.keys()).isEqualTo(3);
    assertThat(spec.meanReads()).isEqualTo(1.75);
    assertThat(spec.meanBytes()).isCloseTo(4_120 / 7.0, within(1e-9));
  }

  /** The load gives the rate, so gaps are in mean gaps. */
  @Test
  void recordedGapsHaveTheMeanOfTheLoad() {
    TimedSource source = (TimedSource) spec(true).open(new Streams(3), 5, 8);
    Draw draw = new Draw();
    List<Double> gaps = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      gaps.add(source.gap());
      source.next(draw);
    }
    assertThat(gaps).containsExactlyInAnyOrder(1.0, 0.0, 1.5, 1.5);
  }

  @Test
  void aTraceWithoutTimeHasNoGaps() {
    assertThatThrownBy(
            () -> new TraceSpec(new double[] {2, 2}, new int[] {0, 1, 2}, KEYS, BYTES, 1, true))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("requests at different times");
    assertThatThrownBy(
            () -> new TraceSpec(new double[0], new int[] {0}, new int[0], new int[0], 1, false))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("at least one request");
  }
}
