/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.manx.policy.record.Executed;
import dev.manx.policy.record.PlanPaging;
import dev.manx.policy.record.RequestEnd;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.Source;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The service times that are drawn for recorded requests. */
@Timeout(60)
class RecordedSpecTest {
  private static final long MILLI = 1_000_000;

  /** Requests of one read, each executed as its forecast says, with the given service times. */
  private static RecordedSpec spec(List<Executed> executed) {
    List<RecordedRequest> requests = new ArrayList<>();
    List<RequestEnd> ends = new ArrayList<>();
    for (Executed read : executed) {
      long at = requests.size() * MILLI;
      requests.add(
          new RecordedRequest(
              at,
              0,
              PlanPaging.NONE,
              new long[1],
              new int[][] {{0}},
              new int[] {1},
              new int[] {100},
              new long[] {read.forecastNanos()}));
      ends.add(new RequestEnd(at, 1, read.serviceNanos(), false, 1, false, true));
    }
    NodeRecord log =
        new NodeRecord(
            0,
            "node",
            Optional.empty(),
            OptionalLong.empty(),
            1,
            0,
            executed.size() * MILLI,
            4,
            4,
            executed,
            ends,
            NodeRecord.Engine.UNKNOWN,
            new NodeRecord.Others(0, 0, 0),
            new NodeRecord.Lines(3L * executed.size(), 0, true, true));
    return new RecordedSpec(
        new Recording(List.of("node"), List.of(log), requests), 1_000, ArrivalTimes.POISSON);
  }

  /** Of each thousand reads, so many with a forecast and a service time, in milliseconds. */
  private static void add(List<Executed> to, int times, long forecast, long service) {
    for (int i = 0; i < times; i++) {
      to.add(new Executed(0, 0, service * MILLI, forecast * MILLI, true));
    }
  }

  private static double[] drawn(RecordedSpec spec, int draws) {
    Source source = spec.open(new Streams(1), 1, draws);
    Draw draw = new Draw();
    double[] millis = new double[draws];
    for (int i = 0; i < draws; i++) {
      source.next(draw);
      millis[i] = draw.serviceNanos(0, 0) / (double) MILLI;
    }
    return millis;
  }

  /**
   * Small reads take a millisecond, and of the large ones nine tenths half of their forecast and
   * the others five times it. With one set of factors for all reads, one small read in twenty would
   * be slow.
   */
  @Test
  void largeReadsScatterAsLargeOnesDid() {
    List<Executed> executed = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      add(executed, 950, 1, 1);
      add(executed, 45, 10, 5);
      add(executed, 5, 10, 50);
    }
    RecordedSpec spec = spec(executed);
    double[] millis = drawn(spec, 200_000);
    double sum = 0;
    double squares = 0;
    int longest = 0;
    for (double time : millis) {
      sum += time;
      squares += time * time;
      longest += time >= 49 ? 1 : 0;
    }
    assertThat(longest / 200_000.0).isCloseTo(0.005, withinPercentage(10));
    assertThat(squares / 200_000).isCloseTo(0.95 + 0.045 * 25 + 0.005 * 2_500, withinPercentage(8));
    assertThat(sum / 200_000).isCloseTo(0.95 + 0.045 * 5 + 0.005 * 50, withinPercentage(3));
    assertThat(spec.meanServiceNanos() / MILLI).isCloseTo(1.425, withinPercentage(0.1));
  }

  /** A few reads show no scatter. */
  @Test
  void aClassOfFewReadsHasTheFactorsOfAll() {
    List<Executed> executed = new ArrayList<>();
    add(executed, 950, 1, 1);
    add(executed, 99, 10, 20);
    double all = (950 + 99 * 2) / 1_049.0;
    assertThat(spec(executed).meanServiceNanos() / MILLI)
        .isCloseTo((950 + 99 * 10 * all) / 1_049.0, withinPercentage(0.1));
    add(executed, 1, 10, 20);
    assertThat(spec(executed).meanServiceNanos() / MILLI)
        .isCloseTo((950 + 100 * 20) / 1_050.0, withinPercentage(0.1));
  }
}
