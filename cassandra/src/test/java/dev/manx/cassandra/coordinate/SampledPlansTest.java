/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.coordinate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.manx.cassandra.Engine;
import dev.manx.cassandra.TestEngines;
import dev.manx.cassandra.TestSchema;
import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Counter;
import dev.manx.cassandra.metrics.WeightedCounts;
import dev.manx.cassandra.metrics.Width;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.cassandra.record.RecordingSwitch;
import dev.manx.policy.Request;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The requests that are planned while all is calm: half of those followed, and few wide ones. */
@Timeout(60)
@Tag("slow")
class SampledPlansTest extends SentStatements {
  private static final int DRAWS = 100_000;
  private static final int SAMPLED = 1_000;
  private static final long SEED = 7;

  /** A request of 16 keys in 8 of 16 cases, one of 100 in 8 of 100, one of 1000 in 8 of 1000. */
  @Test
  void eightReadsOfAWideRequestArePlannedOnAverage() {
    for (Sample sample : new Sample[] {new Sample(), USUAL}) {
      for (int width : new int[] {16, 100, 1_000}) {
        SplittableRandom random = new SplittableRandom(SEED);
        double reads = 0;
        for (int draw = 0; draw < DRAWS; draw++) {
          reads += sample.plans(draw, width, random) ? width : 0;
        }
        // The rarest has 800 plans; five standard deviations are 141 of them, or 1.4 reads.
        assertThat(reads / DRAWS).as("reads of %d keys", width).isCloseTo(8, within(1.5));
      }
    }
  }

  /** Beyond their P99 are the latencies of others as well. */
  @Test
  void ofCalmSingleReadsFewerThanOneInAHundredArePlanned() {
    Engine engine = calm("strategy: manx");
    for (int request = 0; request < 12_800; request++) {
      send(engine, "SELECT * FROM ks.plain WHERE k = 1", -1);
    }
    assertThat(engine.counters().get(Counter.REQUESTS_FOLLOWED)).isEqualTo(200);
    // They fail, because there is no ring.
    assertThat(engine.counters().get(Counter.REQUESTS_NOT_PLANNED)).isEqualTo(100);
    assertThat(weighted(engine, "plain", Width.ONE)).isBetween(12_600L, 13_000L);
  }

  @Test
  void everySecondNarrowRequestInTheSampleIsPlanned() {
    assertThat(attempts(calm("strategy: manx"), 8)).isEqualTo(SAMPLED / 2);
    assertThat(attempts(calm("strategy: manx"), 16)).isEqualTo(SAMPLED / 2);
  }

  /** Of 1000, 250 are expected, with a standard deviation of 11. */
  @Test
  void ofWideOnesFewerAre() {
    assertThat(attempts(calm("strategy: manx"), 32)).isBetween(190L, 310L);
  }

  /** The partitioner refuses these keys, so each evaluation is counted. */
  @Test
  void theKeysOfAFollowedRequestAreEvaluatedOnlyForItsPlan() {
    Engine engine = calm("strategy: manx");
    for (String keys : List.of("= 1", "IN (1, 2, 3)", "IN ?")) {
      ByteBuffer[] values = keys.equals("IN ?") ? new ByteBuffer[] {list(100)} : new ByteBuffer[0];
      long evaluated = engine.counters().get(Counter.REQUESTS_MALFORMED);
      long followed = engine.counters().get(Counter.REQUESTS_FOLLOWED);
      for (int request = 0; request < 200 * Sample.USUAL; request++) {
        send(engine, "SELECT * FROM ks.tokenless WHERE k " + keys, -1, values);
      }
      evaluated = engine.counters().get(Counter.REQUESTS_MALFORMED) - evaluated;
      followed = engine.counters().get(Counter.REQUESTS_FOLLOWED) - followed;
      assertThat(evaluated + followed).as(keys).isEqualTo(200);
      if (keys.equals("IN ?")) {
        // 16 are expected, with a standard deviation of 3.7.
        assertThat(evaluated).as("of 100 keys").isBetween(1L, 40L);
      } else {
        assertThat(evaluated).as(keys).isEqualTo(100);
      }
    }
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }

  /** Otherwise planned requests would count for others, or others for them. */
  @Test
  void aRequestIsRecordedAlikeWithAPlanAndWithout() {
    for (int width : new int[] {1, 5, 20, 100, 150}) {
      for (int pageSize : new int[] {-1, 200}) {
        Engine engine = calm("strategy: manx");
        for (int request = 0; request < 200 * Sample.USUAL; request++) {
          send(engine, "SELECT * FROM ks.plain WHERE k IN ?", pageSize, list(width));
        }
        assertThat(engine.counters().get(Counter.REQUESTS_FOLLOWED)).isEqualTo(200);
        assertThat(engine.measures().requests().rows())
            .as("in the rows of the table and of all tables")
            .hasSize(2)
            .allSatisfy(
                row -> {
                  assertThat(row.width()).isEqualTo(Width.of(width));
                  assertThat(row.acted().count()).isEqualTo(150);
                });
        assertThat(weighted(engine, "plain", Width.of(width))).isBetween(12_600L, 13_000L);
        boolean unpages = pageSize > 0 && width > 1;
        assertThat(reached).allMatch(options -> options.getPageSize() == (unpages ? -1 : pageSize));
        reached.clear();
      }
    }
  }

  /** Stock reads their keys one after another: they are no fan-out, with keys or without. */
  @Test
  void requestsThatWouldNotBePlannedAreNotFollowed() {
    Engine engine = calm("strategy: manx");
    for (int request = 0; request < 64 * Sample.USUAL; request++) {
      send(engine, "SELECT * FROM ks.plain WHERE k IN ?", 8, list(9));
      send(engine, "SELECT * FROM ks.many WHERE k IN (1, 2)", 100);
      send(engine, "SELECT * FROM ks.plain WHERE k IN ?", -1, list(0));
    }
    assertThat(engine.counters().get(Counter.REQUESTS_FOLLOWED)).isZero();
    assertThat(engine.measures().requests().rows()).isEmpty();
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
  }

  /** The forecast of their bytes needs their keys, which were not evaluated before. */
  @Test
  void theCanaryComparesMultigetsWithoutAPlanWhileMuchIsInFlight() {
    Engine engine = calm("strategy: manx");
    engine.measures().canary(CanaryConfig.parse("test", "50%"));
    assertThat(inFlight.enter(KEYS / 4, 1)).isTrue();
    for (int request = 0; request < 200 * Sample.USUAL; request++) {
      send(engine, "SELECT * FROM ks.plain WHERE k IN ?", 200, list(100));
    }
    assertThat(engine.counters().get(Counter.FAULTS)).isZero();
    assertThat(engine.measures().requests().rows())
        .hasSize(2)
        .allSatisfy(
            row -> {
              // About half of 150, and of 200.
              assertThat(row.acted().count()).isBetween(40L, 110L);
              assertThat(row.control().count()).isBetween(60L, 140L);
            });
    inFlight.leave(KEYS / 4, 1);
  }

  private static ByteBuffer list(int keys) {
    return TestSchema.list(1, keys);
  }

  private static long weighted(Engine engine, String table, Width width) {
    return WeightedCounts.of(engine.measures().requests(), "ks", table, width);
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
