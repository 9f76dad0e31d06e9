/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MS;
import static dev.manx.shares.CacheFixtures.SECOND;
import static dev.manx.shares.CacheFixtures.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Queries of several keys wait if any key is missing; worked examples, by hand. */
@Timeout(60)
class QueueingTest {
  private static final MissCurve HALF = new MissCurve(new double[] {0, 100}, new double[] {0.5, 0});

  private final Queueing queueing = new Queueing(360_000 * SECOND, 60 * SECOND, 50, 30 * SECOND);

  /** Queries of four keys of which any number is missing, each with the given probability. */
  private static WindowStatistics independent(long fastNanos, long slowNanos) {
    WindowRecorder recorder = new WindowRecorder(names(1));
    int[] queries = {100, 400, 600, 400, 100};
    for (int missing = 0; missing <= 4; missing++) {
      for (int i = 0; i < queries[missing]; i++) {
        recorder.query(0, 4 - missing, MS / 10, missing, i % 2 == 0 ? fastNanos : slowNanos);
      }
    }
    return recorder.cut();
  }

  /** Half of the keys are missing; 1 - 0.5^4 of the queries wait. At 25 %, 1 - 0.75^4 do. */
  @Test
  void fewerMissesSaveFewQueriesOfSeveralKeysTheirWait() {
    queueing.update(SECOND, independent(5 * MS, 10 * MS));
    assertThat(queueing.lasting(0, 0.5, 0.25)).isEqualTo(0.729, within(0.001));
    assertThat(queueing.times(0, HALF, 0, 50)).isEqualTo(0.729, within(0.001));
  }

  /**
   * Four times as slow is a utilisation of 0.75. The load is that of half of the keys, 0.75 x
   * 0.501.
   */
  @Test
  void theLoadOfTheBackendFollowsTheKeys() {
    queueing.update(SECOND, independent(5 * MS, 10 * MS));
    queueing.update(2 * SECOND, independent(5 * MS, 55 * MS));
    assertThat(queueing.times(0, HALF, 0, 50)).isEqualTo(0.292, within(0.01));
  }

  /** The keys of a query miss together, so fewer misses save as many queries their wait. */
  @Test
  void keysThatMissTogetherAreAsOne() {
    WindowRecorder recorder = new WindowRecorder(names(1));
    for (int i = 0; i < 800; i++) {
      recorder.query(0, 4, MS / 10, 0, 0);
      recorder.query(0, 0, 0, 4, 5 * MS);
    }
    queueing.update(SECOND, recorder.cut());
    assertThat(queueing.lasting(0, 0.5, 0.25)).isEqualTo(0.501, within(0.001));
  }

  /** No query of three keys finds all: they are taken as independent. */
  @Test
  void ifEveryQueryWaitsItsKeysMissIndependently() {
    WindowRecorder recorder = new WindowRecorder(names(1));
    for (int i = 0; i < 1_000; i++) {
      recorder.query(0, i < 200 ? 1 : 0, MS / 10, i < 200 ? 2 : 3, 5 * MS);
    }
    queueing.update(SECOND, recorder.cut());
    // 1 - 0.0667^3 and 1 - 0.1335^3.
    assertThat(queueing.lasting(0, 0.9333, 0.8665)).isEqualTo(0.998, within(0.0005));
    // 1 - 0.9^3 = 0.271 and 1 - 0.95^3 = 0.1426: where most keys are found, space still helps.
    assertThat(queueing.lasting(0, 0.1, 0.05)).isEqualTo(0.528, within(0.001));
  }

  @Test
  void withoutQueriesHitsOrMissesAKeyIsAQuery() {
    WindowRecorder recorder = new WindowRecorder(names(4));
    recorder.query(1, 3, MS, 0, 0);
    recorder.query(2, 0, 0, 3, MS);
    recorder.foundKeys(3, 1, MS);
    recorder.missedKeys(3, 1, MS);
    queueing.update(SECOND, recorder.cut());
    for (int b = 0; b < 4; b++) {
      assertThat(queueing.lasting(b, 0.5, 0.25)).isEqualTo(0.501, within(0.001));
    }
  }

  /** One slow query of many keys is one latency: no evidence of queueing. */
  @Test
  void theKeysOfOneQueryAreNotEnoughMisses() {
    queueing.update(SECOND, independent(5 * MS, 10 * MS));
    WindowRecorder recorder = new WindowRecorder(names(1));
    recorder.query(0, 0, 0, 60, 95 * MS);
    recorder.misses(0, 20, 5 * MS);
    queueing.update(2 * SECOND, recorder.cut());
    assertThat(queueing.times(0, HALF, 0, 50)).isEqualTo(0.501, within(0.001));
  }
}
