/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.advise;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.record.Executed;
import dev.manx.policy.record.PlanPaging;
import dev.manx.policy.record.RequestEnd;
import dev.manx.simulator.recorded.ArrivalShape;
import dev.manx.simulator.recorded.ArrivalTimes;
import dev.manx.simulator.recorded.NodeRecord;
import dev.manx.simulator.recorded.RecordedRequest;
import dev.manx.simulator.recorded.RecordedSpec;
import dev.manx.simulator.recorded.Recording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Models of recordings that are not written as logs. */
@Timeout(120)
@Tag("slow")
class ClusterModelTest {
  private static final int THREADS = 4;
  private static final long SERVICE_NANOS = 1_000_000;

  private static double exponential(SplittableRandom random, double mean) {
    return -mean * Math.log(1 - random.nextDouble());
  }

  /** One node, of whose requests one half comes at a low rate and the other then at a high one. */
  private static Recording twoRegimes(int requests) {
    SplittableRandom random = new SplittableRandom(1);
    List<RecordedRequest> plans = new ArrayList<>();
    List<RequestEnd> ends = new ArrayList<>();
    List<Executed> executed = new ArrayList<>();
    double now = 0;
    for (int i = 0; i < requests; i++) {
      now += exponential(random, i < requests / 2 ? 1e6 : 0.3e6);
      long at = Math.round(now);
      long service = Math.max(1, Math.round(exponential(random, SERVICE_NANOS)));
      plans.add(
          new RecordedRequest(
              at,
              0,
              PlanPaging.NONE,
              new long[] {random.nextLong()},
              new int[][] {{0}},
              new int[] {1},
              new int[] {100},
              new long[] {SERVICE_NANOS}));
      executed.add(new Executed(at, 0, service, SERVICE_NANOS, true));
      ends.add(new RequestEnd(at, 1, service, false, 1, false, true));
    }
    NodeRecord log =
        new NodeRecord(
            0,
            "node",
            Optional.empty(),
            OptionalLong.empty(),
            1,
            0,
            Math.round(now),
            8,
            THREADS,
            executed,
            ends,
            NodeRecord.Engine.UNKNOWN,
            new NodeRecord.Others(0, 0, 0),
            new NodeRecord.Lines(3L * requests, 0, true, true));
    return new Recording(List.of("node"), List.of(log), plans);
  }

  /** Otherwise chance would decide whether the model resembles the cluster. */
  @Test
  void allPartsOfALongRecordingAreCompared() {
    Recording recording = twoRegimes(400_000);
    ClusterModel model =
        new ClusterModel(
            new RecordedSpec(recording, 1 << 16, ArrivalTimes.RECORDED),
            ArrivalShape.of(recording),
            THREADS,
            100_000,
            recording.requestsPerSecond(),
            Stock.RECORDED);
    LatencyPercentiles first = played(model, 1);
    for (long seed = 2; seed <= 5; seed++) {
      assertThat(played(model, seed).distanceFrom(first)).as("seed %d", seed).isLessThan(0.1);
    }
  }

  private static LatencyPercentiles played(ClusterModel model, long seed) {
    return LatencyPercentiles.played(model.play(model.stock().document(true), 60_000, seed));
  }

  /** Loads of an experiment are written with the precision that keeps them apart. */
  @ParameterizedTest
  @CsvSource({"1872.73, 1873", "123456, 123500", "0.30001, 0.3000", "0.0045678, 0.004568"})
  void ratesHaveFourDigits(double rate, String written) {
    assertThat(AdviceFile.perSecond(rate)).isEqualTo(written);
  }
}
