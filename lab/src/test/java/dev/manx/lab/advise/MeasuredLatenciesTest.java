/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.advise.MeasuredLatencies.Interval;
import dev.manx.lab.advise.MeasuredLatencies.Weighed;
import dev.manx.policy.record.LogLine;
import dev.manx.policy.record.RequestEnd;
import dev.manx.simulator.recorded.NodeRecord;
import dev.manx.simulator.recorded.Recording;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The precision of a percentile from a number of requests. */
@Timeout(60)
class MeasuredLatenciesTest {
  private static MeasuredLatencies upTo(long requests) {
    return new MeasuredLatencies(
        LongStream.rangeClosed(1, requests).mapToObj(nanos -> weighed(nanos, 1)).toList());
  }

  /** The blocks hardly differ. */
  private static Weighed weighed(long nanos, double weight) {
    return new Weighed(nanos, weight, (int) ((nanos + nanos / 20) % 20));
  }

  /** 0.99 +- 1.96 sqrt(0.99 * 0.01 / 2000), by hand: the 1,972nd and the 1,989th of 2,000. */
  @Test
  void theIntervalIsThatOfTheRanks() {
    MeasuredLatencies requests = upTo(2_000);
    assertThat(requests.latencies()).isEqualTo(new LatencyPercentiles(100, 1_000, 1_900, 1_980));
    assertThat(requests.interval(0.99)).isEqualTo(new Interval(1_972, 1_989));
  }

  private static NodeRecord log(
      int node, OptionalLong epoch, long from, long span, List<RequestEnd> ends) {
    return new NodeRecord(
        node,
        node == 0 ? "a" : "b",
        Optional.empty(),
        epoch,
        1,
        from,
        span,
        4,
        4,
        List.of(),
        ends,
        NodeRecord.Engine.UNKNOWN,
        new NodeRecord.Others(0, 0, 0),
        new NodeRecord.Lines(ends.size(), 0, true, true));
  }

  /** They count as load, but they often come at once. */
  @Test
  void failuresAreNoLatencies() {
    List<RequestEnd> ends =
        LongStream.rangeClosed(1, 100)
            .mapToObj(nanos -> new RequestEnd(nanos, 1, 1_000 * nanos, false, 1, nanos <= 40, true))
            .map(end -> RequestEnd.read(LogLine.parse(text(end))))
            .toList();
    NodeRecord log = log(0, OptionalLong.empty(), 0, 1_000_000_000, ends);
    assertThat(log.requestsReceived()).isEqualTo(100);
    Recording recording = new Recording(List.of("a"), List.of(log), List.of());
    assertThat(MeasuredLatencies.of(recording).latencies().p50()).isEqualTo(70_000);
  }

  /** Two nodes are slow at the same time; the log of one of them ends early. */
  @Test
  void requestsOfOneTimeAreInOneBlockWhereverALogEnds() {
    long second = 1_000_000_000L;
    List<Weighed> expected = new ArrayList<>();
    List<NodeRecord> logs = new ArrayList<>();
    for (int node = 0; node < 2; node++) {
      // By its own monotonic clock.
      long zero = node * 1_000 * second;
      int seconds = node == 0 ? 10 : 20;
      List<RequestEnd> ends = new ArrayList<>();
      for (int i = 0; i < 100 * seconds; i++) {
        int block = i / 100;
        long nanos = block == 8 ? 10_000_000 + i : 1_000 + i;
        ends.add(new RequestEnd(zero + i * second / 100, 1, nanos, false, 1, false, true));
        expected.add(new Weighed(nanos, 1.0 / seconds, block));
      }
      logs.add(log(node, OptionalLong.of(5 * second - zero), zero, seconds * second, ends));
    }
    Recording recording = new Recording(List.of("a", "b"), logs, List.of());
    assertThat(MeasuredLatencies.of(recording).interval(0.95))
        .isEqualTo(new MeasuredLatencies(expected).interval(0.95));
  }

  private static String text(RequestEnd end) {
    return new String(end.line().bytes(), StandardCharsets.UTF_8).stripTrailing();
  }

  @Test
  void tooFewRequestsShowNoUpperEnd() {
    Interval interval = upTo(200).interval(0.99);
    assertThat(interval.hi()).isInfinite();
    assertThat(interval.isWiderThan(0.2, 198)).isTrue();
    assertThat(upTo(2_000).interval(0.99).isWiderThan(0.2, 1_980)).isFalse();
  }

  /** Weighted requests reduce the effective sample, for any unit of the weight. */
  @Test
  void unequalWeightsWidenIt() {
    List<Weighed> even =
        LongStream.rangeClosed(1, 2_000).mapToObj(nanos -> weighed(nanos, 7)).toList();
    assertThat(new MeasuredLatencies(even).interval(0.99)).isEqualTo(upTo(2_000).interval(0.99));
    List<Weighed> uneven =
        LongStream.rangeClosed(1, 2_000)
            .mapToObj(nanos -> weighed(nanos, nanos % 20 == 0 ? 100 : 1))
            .toList();
    Interval wide = new MeasuredLatencies(uneven).interval(0.99);
    assertThat(wide.lo()).isLessThan(1_972);
    assertThat(wide.hi()).isInfinite();
  }

  @Test
  void itHoldsThePercentileThatOftenAsItSays() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    double p99 = -Math.log(0.01) * 1e6;
    int trials = 1_000;
    int held = 0;
    for (int trial = 0; trial < trials; trial++) {
      Interval interval =
          new MeasuredLatencies(
                  IntStream.range(0, 1_000)
                      .mapToObj(
                          i ->
                              new Weighed(
                                  (long) (-Math.log(1 - random.nextDouble()) * 1e6), 1, i % 20))
                      .toList())
              .independent(0.99);
      held += interval.lo() <= p99 && p99 <= interval.hi() ? 1 : 0;
    }
    assertThat(held).as("of %d, seed %d", trials, seed).isBetween(920, 980);
  }
}
