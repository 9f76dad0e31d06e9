/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.cassandra.record.RecordingSwitch;
import dev.manx.policy.Request;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The sample of requests that are planned while all is calm: few of them are wide. */
@Timeout(60)
class SampledPlansTest extends SentStatements {
  private static final int DRAWS = 100_000;
  private static final int SAMPLED = 1_000;
  private static final long SEED = 7;

  /** A request of 9 keys in 8 of 9 cases, one of 100 in 8 of 100, one of 1000 in 8 of 1000. */
  @Test
  void eightReadsOfAWideRequestArePlannedOnAverage() {
    Engine engine = calm("strategy: manx");
    for (int width : new int[] {9, 16, 100, 1_000}) {
      SplittableRandom random = new SplittableRandom(SEED);
      double reads = 0;
      for (int draw = 0; draw < DRAWS; draw++) {
        reads += Planner.plansSampled(engine, width, random) ? width : 0;
      }
      // The rarest has 800 plans; five standard deviations are 141 of them, or 1.4 reads.
      assertThat(reads / DRAWS).as("reads of %d keys", width).isCloseTo(8, within(1.5));
    }
  }

  @Test
  void everyNarrowRequestInTheSampleIsPlanned() {
    assertThat(attempts(calm("strategy: manx"), 8)).isEqualTo(SAMPLED);
  }

  /** Of 1000, 500 are expected, with a standard deviation of 16. */
  @Test
  void ofWideOnesSomeAre() {
    assertThat(attempts(calm("strategy: manx"), 16)).isBetween(400L, 600L);
  }

  @Test
  void whileDecisionsAreRecordedAllAre(@TempDir Path folder) {
    RecordingSwitch recorder =
        TestEngines.recorder(new RecordConfig(false, folder.resolve("log"), 1 << 20, 1));
    Engine engine = TestEngines.calm("strategy: manx", () -> 7, recorder);
    recorder.set("on");
    try {
      assertThat(attempts(engine, 16)).isEqualTo(SAMPLED);
    } finally {
      recorder.set("off");
    }
  }

  /** A trial in shadow mode is judged by these counts, and a node that is on too. */
  @Test
  void decisionsThatTakeNoEffectAreNotCounted() {
    Engine engine = calm("strategy: manx");
    Request request = new Request();
    request.begin(7, new SplittableRandom(SEED), 2);
    request.addRead(null, 1, 1);
    request.addReplica(1, 0);
    request.addReplica(0, 0);
    int[] stock = {0, 1};
    Planner.count(engine, request, stock, true);
    assertThat(engine.counters().get(Counter.READS_PLANNED)).isEqualTo(1);
    assertThat(engine.counters().get(Counter.SELECT_DECISIONS)).isZero();
    assertThat(engine.counters().get(Counter.SELECT_CHANGED)).isZero();
    Planner.count(engine, request, stock, false);
    assertThat(engine.counters().get(Counter.SELECT_DECISIONS)).isEqualTo(1);
    assertThat(engine.counters().get(Counter.SELECT_CHANGED)).isEqualTo(1);
  }

  /** Plans that were attempted of as many sampled requests; they fail, because there is no ring. */
  private long attempts(Engine engine, int width) {
    for (int request = 0; request < SAMPLED * Sample.USUAL; request++) {
      send(engine, "SELECT * FROM ks.plain WHERE k IN ?", 100, TestSchema.list(1, width));
    }
    return engine.counters().get(Counter.REQUESTS_NOT_PLANNED);
  }
}
