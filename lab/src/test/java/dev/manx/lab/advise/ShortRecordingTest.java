/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.lab.advise.MeasuredLatencies.Interval;
import dev.manx.simulator.recorded.ArrivalShape;
import dev.manx.simulator.recorded.RecordedRequest;
import dev.manx.simulator.recorded.Recording;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recordings of a minute at a high load, whose latencies differ much by chance. */
@Timeout(120)
@Tag("slow")
class ShortRecordingTest {
  private static final double LOAD = 0.8;
  private static final int MODELS = 20;
  private static final int INTERVALS = 40;

  private static final List<Recording> RECORDINGS =
      IntStream.range(0, MODELS).mapToObj(ShortRecordingTest::recording).toList();

  private static Recording recording(int seed) {
    return QueuedWorld.recording(LOAD, 6_000, 100 + seed);
  }

  /** Plays each recorded request once, or as few as there may be. */
  private static Advisor advisor(ClusterModel model) {
    return new Advisor(List.of(), model, 1);
  }

  private static String advice(ClusterModel model) throws Exception {
    List<String> said = new ArrayList<>();
    advisor(model).advice(Path.of("none"), List.of("manx"), said::add);
    return String.join(" ", said);
  }

  /** It was compared with the mean of all recordings, and differed by the noise of this one. */
  @Test
  void anExactModelFitsEachOfThem() {
    List<String> refused = new ArrayList<>();
    for (int seed = 0; seed < MODELS; seed++) {
      Advisor advisor = advisor(QueuedWorld.model(RECORDINGS.get(seed)));
      if (!advisor.holds()) {
        refused.add("seed " + seed + ": " + advisor.words());
      }
    }
    assertThat(refused).hasSizeLessThanOrEqualTo(1);
  }

  /** The control of the test above. */
  @Test
  void withOtherArrivalsItIsFarFromManyOfThem() {
    ArrivalShape poisson = new ArrivalShape(0, true, List.of());
    int far = 0;
    for (Recording recording : RECORDINGS) {
      ClusterModel model = QueuedWorld.model(recording, poisson);
      LatencyPercentiles played =
          LatencyPercentiles.played(model.play(model.stock().document(true), 12_000, 2));
      LatencyPercentiles measured = MeasuredLatencies.of(recording).latencies();
      far += played.distanceFrom(measured) > Advisor.FAR ? 1 : 0;
    }
    assertThat(far).isGreaterThanOrEqualTo(MODELS / 3);
  }

  /** It was taken for chance: another recording could have had this P99, not with its arrivals. */
  @Test
  void aModelThatIsBusierDoesNotFit() throws Exception {
    ClusterModel exact = QueuedWorld.model(RECORDINGS.get(2));
    ClusterModel busier =
        new ClusterModel(
            exact.source(),
            exact.shape(),
            exact.readThreads(),
            exact.oneWayNanos(),
            1.04 * exact.requestsPerSecond(),
            exact.stock());
    assertThat(advice(busier))
        .startsWith("No advice: simulated stock is ")
        .contains("so the model does not fit this cluster; the notes above may name the cause");
  }

  /** Its requests wait in other queues than those of the model. */
  @Test
  void aSampledRecordingNeedsMoreTime() throws Exception {
    Recording whole = RECORDINGS.get(0);
    List<RecordedRequest> sample =
        IntStream.range(0, whole.requests().size() / 2)
            .mapToObj(i -> whole.requests().get(2 * i))
            .toList();
    assertThat(advice(QueuedWorld.model(new Recording(whole.nodes(), whole.logs(), sample))))
        .startsWith("No advice: 6000 requests are too few: ")
        .contains("record for longer");
  }

  /** The interval took requests that had met one queue for independent, and held it in a third. */
  @Test
  void theIntervalHoldsTheLongRunsPercentile() {
    double p99 = QueuedWorld.p99(LOAD);
    List<String> missed = new ArrayList<>();
    int missedAsIndependent = 0;
    for (int seed = 0; seed < INTERVALS; seed++) {
      MeasuredLatencies measured =
          MeasuredLatencies.of(seed < MODELS ? RECORDINGS.get(seed) : recording(seed));
      Interval interval = measured.interval(0.99);
      missedAsIndependent += contains(measured.independent(0.99), p99) ? 0 : 1;
      if (!contains(interval, p99)) {
        missed.add("seed " + seed + ": " + interval);
      }
    }
    assertThat(missed).as("without %.1f ms", p99 / 1e6).hasSizeLessThanOrEqualTo(6);
    assertThat(missedAsIndependent).isGreaterThan(15);
  }

  private static boolean contains(Interval interval, double value) {
    return interval.lo() <= value && value <= interval.hi();
  }
}
