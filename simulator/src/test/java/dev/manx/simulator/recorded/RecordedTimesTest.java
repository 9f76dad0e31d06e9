/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.recorded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.manx.policy.record.Executed;
import dev.manx.policy.record.PlanPaging;
import dev.manx.policy.record.RequestEnd;
import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.source.Draw;
import dev.manx.simulator.source.Source;
import dev.manx.simulator.source.TimedSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recorded arrivals: their comparison with Poisson arrivals, and the times that are played. */
@Timeout(60)
@Tag("slow")
class RecordedTimesTest {
  private static final long SECOND = 1_000_000_000L;
  private static final double MEAN_GAP = 1e6;

  /** Poisson arrivals of groups of requests, 1000 requests a second. */
  private static List<Long> groups(int group, int requests, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Long> times = new ArrayList<>();
    double now = 0;
    while (times.size() < requests) {
      now += -Math.log(1 - random.nextDouble()) * MEAN_GAP * group;
      for (int i = 0; i < group; i++) {
        times.add(Math.round(now));
      }
    }
    return times;
  }

  private static List<Long> thinned(List<Long> times, double share) {
    SplittableRandom random = new SplittableRandom(1);
    return times.stream().filter(time -> random.nextDouble() < share).toList();
  }

  /** The requests of a node; the hash of each key is the request's place in the log. */
  private static List<RecordedRequest> requests(int node, List<Long> times) {
    List<RecordedRequest> requests = new ArrayList<>();
    for (int i = 0; i < times.size(); i++) {
      requests.add(
          new RecordedRequest(
              times.get(i),
              node,
              PlanPaging.NONE,
              new long[] {i},
              new int[][] {{node}},
              new int[] {1},
              new int[] {100},
              new long[] {1_000}));
    }
    return requests;
  }

  private static NodeRecord log(int node, List<Long> times, double received, OptionalLong epoch) {
    return log(node, times, received, epoch, times.get(times.size() - 1) - times.get(0), 0);
  }

  private static NodeRecord log(
      int node, List<Long> times, double received, OptionalLong epoch, long spanNanos, long lost) {
    long first = times.get(0);
    return new NodeRecord(
        node,
        "node" + node,
        Optional.empty(),
        epoch,
        times.size() / received,
        first,
        spanNanos,
        4,
        4,
        List.of(new Executed(first, 0, 1_000, 1_000, true)),
        times.stream().map(time -> new RequestEnd(time, 1, 1_000, false, 1, false, true)).toList(),
        NodeRecord.Engine.UNKNOWN,
        new NodeRecord.Others(0, 0, 0),
        new NodeRecord.Lines(2L * times.size() + 1, lost, true, true));
  }

  private static Recording recording(List<Long> times, double received) {
    return new Recording(
        List.of("node0"),
        List.of(log(0, times, received, OptionalLong.empty())),
        requests(0, times));
  }

  private static Recording whole(List<Long> times) {
    return recording(times, times.size());
  }

  @Test
  void poissonArrivalsAreRecognized() {
    int deviating = 0;
    for (int seed = 0; seed < 200; seed++) {
      ArrivalShape shape = ArrivalShape.of(whole(groups(1, 15_000, seed)));
      assertThat(shape.scales()).extracting(Dispersion::windowNanos).hasSize(3);
      deviating += shape.deviation().isPresent() ? 1 : 0;
    }
    assertThat(deviating).isLessThanOrEqualTo(3);
  }

  @Test
  void groupsAndEqualGapsAreNotPoisson() {
    ArrivalShape groups = ArrivalShape.of(whole(groups(4, 40_000, 1)));
    assertThat(groups.scales()).allMatch(Dispersion::deviates);
    assertThat(groups.scales().get(0).index()).isCloseTo(4, within(0.3));
    assertThat(groups.times()).isEqualTo(ArrivalTimes.RECORDED);
    List<Long> equal = new ArrayList<>();
    for (long i = 0; i < 20_000; i++) {
      equal.add(i * 1_300_000);
    }
    ArrivalShape regular = ArrivalShape.of(whole(equal));
    assertThat(regular.deviation().orElseThrow().index()).isLessThan(0.1);
    assertThat(regular.times()).isEqualTo(ArrivalTimes.RECORDED);
  }

  /** A log without requests, as of a node to which no client sends any. */
  private static NodeRecord idle(int node, long lost) {
    return new NodeRecord(
        node,
        "node" + node,
        Optional.empty(),
        OptionalLong.empty(),
        1,
        0,
        40 * SECOND,
        4,
        4,
        List.of(),
        List.of(),
        NodeRecord.Engine.UNKNOWN,
        new NodeRecord.Others(0, 0, 0),
        new NodeRecord.Lines(1_000, lost, true, true));
  }

  @Test
  void aNodeWithoutRequestsDoesNotHideTheArrivalsOfOthers() {
    List<Long> times = groups(4, 40_000, 1);
    NodeRecord busy = log(0, times, times.size(), OptionalLong.empty());
    Recording recording =
        new Recording(List.of("node0", "node1"), List.of(busy, idle(1, 0)), requests(0, times));
    assertThat(recording.plannedShare()).isEqualTo(1);
    assertThat(ArrivalShape.of(recording).times()).isEqualTo(ArrivalTimes.RECORDED);
  }

  /** It executes reads for the others, and one line of them did not reach its disk. */
  @Test
  void aLostLineOfANodeWithoutRequestsHidesNoArrivals() {
    List<Long> times = groups(4, 40_000, 1);
    NodeRecord busy = log(0, times, times.size(), OptionalLong.empty());
    Recording recording =
        new Recording(List.of("node0", "node1"), List.of(busy, idle(1, 1)), requests(0, times));
    assertThat(recording.plannedShare()).isEqualTo(1);
  }

  /** Lines of plans, ends and reads are lost alike. */
  @Test
  void lostLinesReduceTheShareAsAPartOfAllLines() {
    List<Long> times = groups(4, 40_000, 1);
    NodeRecord log = log(0, times, times.size(), OptionalLong.empty(), 40 * SECOND, 20_000);
    Recording recording = new Recording(List.of("node0"), List.of(log), requests(0, times));
    assertThat(recording.plannedShare()).isCloseTo(0.8, within(0.001));
    assertThat(ArrivalShape.of(recording).indexOfAll(new Dispersion(1, 1.8, 0, 0)))
        .isCloseTo(2, within(0.01));
  }

  /** A node whose few requests were all left to stock. */
  @Test
  void withoutAnyPlanTheIndexOfAllIsUnknown() {
    List<Dispersion> scales = List.of(new Dispersion(1_000_000, 2, 0.9, 1.1));
    assertThat(new ArrivalShape(0, true, scales).indexOfAll(scales.get(0))).isEqualTo(2);
  }

  @Test
  void logsWithoutRequestsHaveNoShape() {
    Recording recording = new Recording(List.of("node0"), List.of(idle(0, 0)), List.of());
    assertThat(ArrivalShape.of(recording).scales()).isEmpty();
    assertThat(ArrivalShape.of(recording).times()).isEqualTo(ArrivalTimes.POISSON);
  }

  @Test
  void tooFewRequestsAreNotJudged() {
    ArrivalShape shape = ArrivalShape.of(whole(groups(1, 50, 1)));
    assertThat(shape.scales()).isEmpty();
    assertThat(shape.times()).isEqualTo(ArrivalTimes.POISSON);
  }

  @Test
  void theIndexOfAllIsEstimatedFromASample() {
    List<Long> all = groups(20, 400_000, 1);
    Recording sampled = recording(thinned(all, 0.1), all.size());
    ArrivalShape shape = ArrivalShape.of(sampled);
    Dispersion scale = shape.deviation().orElseThrow();
    assertThat(shape.isWhole()).isFalse();
    assertThat(shape.share()).isCloseTo(0.1, within(0.01));
    assertThat(scale.index()).isCloseTo(2.9, within(0.4));
    assertThat(shape.indexOfAll(scale)).isCloseTo(20, within(4.0));
    assertThat(shape.times()).as("their bursts are not known").isEqualTo(ArrivalTimes.POISSON);
    assertThatThrownBy(() -> new RecordedSpec(sampled, 1, ArrivalTimes.RECORDED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching(
            "the logs contain (9\\.[89]|10\\.[01]) % of the requests; from 90 % on .*");
  }

  /** As many requests per second as in the other log, each of the given number of reads. */
  private static List<RecordedRequest> ofReads(int node, List<Long> times, int reads) {
    int[][] replicas = new int[reads][];
    Arrays.fill(replicas, new int[] {node});
    int[] contacts = new int[reads];
    Arrays.fill(contacts, 1);
    int[] bytes = new int[reads];
    Arrays.fill(bytes, 100 * reads);
    long[] forecasts = new long[reads];
    Arrays.fill(forecasts, 1_000 * reads);
    return times.stream()
        .map(
            time ->
                new RecordedRequest(
                    time,
                    node,
                    PlanPaging.NONE,
                    new long[reads],
                    replicas,
                    contacts,
                    bytes,
                    forecasts))
        .toList();
  }

  private static List<Long> everyTenMillis(int seconds) {
    return LongStream.range(0, 100L * seconds).mapToObj(i -> i * 10_000_000).toList();
  }

  /** A log of a minute and one of ten; each request of the longer one counted as much. */
  @Test
  void theMeansAreThoseOfTheDraws() {
    List<Long> minute = everyTenMillis(60);
    List<Long> ten = everyTenMillis(600);
    List<RecordedRequest> requests = new ArrayList<>(ofReads(0, minute, 10));
    requests.addAll(ofReads(1, ten, 1));
    Recording recording =
        new Recording(
            List.of("node0", "node1"),
            List.of(
                log(0, minute, minute.size(), OptionalLong.empty()),
                log(1, ten, ten.size(), OptionalLong.empty())),
            requests);
    RecordedSpec spec = new RecordedSpec(recording, 1_000, ArrivalTimes.POISSON);
    Source source = spec.open(new Streams(1), 2, 10_000);
    Draw draw = new Draw();
    double reads = 0;
    double bytes = 0;
    for (int i = 0; i < 10_000; i++) {
      source.next(draw);
      reads += draw.reads();
      for (int read = 0; read < draw.reads(); read++) {
        bytes += draw.bytes(read);
      }
    }
    assertThat(spec.meanReads()).isCloseTo(5.5, within(0.01));
    assertThat(reads / 10_000).isCloseTo(spec.meanReads(), within(0.15));
    assertThat(bytes / reads).isCloseTo(spec.meanBytes(), within(10.0));
    assertThat(recording.meanReads()).isEqualTo(spec.meanReads());
    assertThat(recording.meanForecastNanos()).isCloseTo(10 * spec.meanBytes(), within(1e-6));
  }

  /** Times and keys that are played, times in the recording's nanoseconds. */
  private record Played(List<Long> times, List<Long> keys) {}

  private static Played play(Recording recording, int requests, long seed) {
    return play(new RecordedSpec(recording, 1, ArrivalTimes.RECORDED), requests, seed);
  }

  private static Played play(RecordedSpec spec, int requests, long seed) {
    TimedSource source =
        (TimedSource) spec.open(new Streams(seed), spec.recording().nodes().size(), requests);
    Draw draw = new Draw();
    List<Long> times = new ArrayList<>();
    List<Long> keys = new ArrayList<>();
    double now = 0;
    for (int i = 0; i < requests; i++) {
      now += source.gap() * MEAN_GAP;
      source.next(draw);
      times.add(Math.round(now));
      keys.add(draw.keyHash(0));
    }
    return new Played(times, keys);
  }

  @Test
  void blocksKeepRateBurstsAndRequests() {
    Recording recording = whole(groups(4, 40_000, 1));
    Played played = play(recording, 200_000, 1);
    assertThat(played.times().get(199_999) / 200_000.0)
        .isCloseTo(MEAN_GAP, within(0.03 * MEAN_GAP));
    assertThat(ArrivalShape.of(whole(played.times())).scales().get(0).index())
        .isCloseTo(4, within(0.3));
    assertThat(seams(played, 40_000)).as("a tenth of the recording is a block").isBetween(45, 50);
  }

  private static int seams(Played played, int recorded) {
    int seams = 0;
    for (int i = 1; i < played.keys().size(); i++) {
      seams += played.keys().get(i) == (played.keys().get(i - 1) + 1) % recorded ? 0 : 1;
    }
    return seams;
  }

  /** Otherwise a run would show only one part of a long recording. */
  @Test
  void aShortRunHasAsManyBlocksAsALongOne() {
    Played played = play(whole(groups(4, 400_000, 1)), 40_000, 1);
    assertThat(seams(played, 400_000)).as("a tenth of the run is a block").isBetween(8, 11);
  }

  @Test
  void aSpreadRunAsLongAsTheRecordingHasEachRequestOnce() {
    RecordedSpec spec =
        new RecordedSpec(whole(groups(4, 40_000, 1)), 1, ArrivalTimes.RECORDED).spread();
    Played played = play(spec, 40_000, 1);
    assertThat(played.times()).isSorted();
    assertThat(seams(played, 40_000)).as("it begins anywhere").isZero();
    assertThat(played.keys().stream().distinct().count()).isEqualTo(40_000);
    assertThat(play(spec, 40_000, 2).keys().get(0)).isNotEqualTo(played.keys().get(0));
  }

  @Test
  void aShortSpreadRunHasPartsOfAllOfTheRecording() {
    RecordedSpec spec =
        new RecordedSpec(whole(groups(4, 400_000, 1)), 1, ArrivalTimes.RECORDED).spread();
    Played played = play(spec, 40_000, 1);
    assertThat(played.times()).isSorted();
    assertThat(seams(played, 400_000)).as("blocks of a second").isBetween(30, 45);
    for (int tenth = 0; tenth < 10; tenth++) {
      long from = tenth * 40_000L;
      assertThat(played.keys().stream().filter(key -> key >= from && key < from + 40_000).count())
          .as("requests of tenth " + tenth)
          .isBetween(3_000L, 5_200L);
    }
  }

  @Test
  void aLogThatEndsInSilenceIsPlayedRoundItsEnd() {
    for (long span : new long[] {SECOND * 8 / 10, 40 * SECOND}) {
      List<Long> times = groups(4, 400, 1);
      Recording recording =
          new Recording(
              List.of("node0"),
              List.of(log(0, times, times.size(), OptionalLong.empty(), span, 0)),
              requests(0, times));
      Played played = play(recording, 20_000, 3);
      assertThat(played.times()).isSorted();
      assertThat(played.times().get(19_999) / 20_000.0).isCloseTo(MEAN_GAP, within(0.3 * MEAN_GAP));
      assertThat(played.keys().stream().distinct().count()).isEqualTo(400);
    }
  }

  @Test
  void aDifferenceThatDoesNotMatterIsNone() {
    List<Dispersion> scales = List.of(new Dispersion(1_000_000, 1.05, 0.99, 1.01));
    assertThat(new ArrivalShape(1, true, scales).deviation()).isEmpty();
    assertThat(new ArrivalShape(0.2, true, scales).deviation()).as("1.25 of all").isPresent();
  }

  @Test
  void aSeedDeterminesTheTimes() {
    Recording recording = whole(groups(4, 20_000, 1));
    assertThat(play(recording, 10_000, 1)).isEqualTo(play(recording, 10_000, 1));
    assertThat(play(recording, 10_000, 2)).isNotEqualTo(play(recording, 10_000, 1));
  }

  /**
   * Two nodes whose requests arrive at the same times; the clock of the second is an hour ahead.
   */
  private static Recording two(OptionalLong first, OptionalLong second, long lateNanos) {
    List<Long> times = groups(1, 20_000, 1);
    List<Long> ahead = times.stream().map(time -> time + 3_600 * SECOND + lateNanos).toList();
    List<RecordedRequest> requests = new ArrayList<>(requests(0, times));
    requests.addAll(requests(1, ahead));
    return new Recording(
        List.of("node0", "node1"),
        List.of(log(0, times, 20_000, first), log(1, ahead, 20_000, second)),
        requests);
  }

  @Test
  void nodesAreAlignedByTheirClocks() {
    OptionalLong hour = OptionalLong.of(3_600 * SECOND);
    ArrivalShape aligned = ArrivalShape.of(two(hour, OptionalLong.of(0), 0));
    assertThat(aligned.together()).isTrue();
    assertThat(aligned.scales().get(0).index()).as("in pairs").isCloseTo(2, within(0.1));
    Played pairs = play(two(hour, OptionalLong.of(0), 0), 1_000, 1);
    assertThat(pairs.keys().subList(0, 900).stream().distinct().count()).isLessThan(460);
    for (Recording apart :
        List.of(
            two(OptionalLong.empty(), OptionalLong.of(0), 0),
            two(hour, OptionalLong.of(0), 15 * SECOND))) {
      ArrivalShape shape = ArrivalShape.of(apart);
      assertThat(shape.together()).isFalse();
      assertThat(shape.scales().get(0).index()).isCloseTo(1, within(0.1));
      Played played = play(apart, 40_000, 1);
      assertThat(played.times().get(39_999) / 40_000.0)
          .isCloseTo(MEAN_GAP, within(0.05 * MEAN_GAP));
      assertThat(played.keys().stream().distinct().count()).isGreaterThan(10_000);
    }
  }
}
