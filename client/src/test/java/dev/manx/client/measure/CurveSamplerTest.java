/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.ManualClock;
import dev.manx.shares.MissCurve;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The sample's limits, and a correct curve in spite of unsampled and dropped queries. */
class CurveSamplerTest {
  private static final int BYTES = 100;

  private final ManualClock clock = new ManualClock();

  private static void query(CurveSampler sampler, long key) {
    if (sampler.samples(key)) {
      sampler.query(key, key, BYTES);
    }
  }

  /** Uniform queries: an LRU misses the part that does not fit. */
  private static void isUniform(MissCurve curve, int keys, double off) {
    for (double part : new double[] {0.25, 0.5, 0.75}) {
      assertThat(curve.missRatio(part * keys * BYTES))
          .as("a share of %.2f of the keys", part)
          .isBetween(1 - part - off, 1 - part + off);
    }
  }

  @Test
  void knowsNothingAtFirst() {
    assertThat(new CurveSampler(1_000, clock).curve()).isNull();
  }

  @Test
  void manyKeysAreSampledByHash() {
    int keys = 100_000;
    CurveSampler sampler = new CurveSampler((long) keys * BYTES, clock);
    SplittableRandom random = new SplittableRandom(1);
    for (int q = 0; q < 600_000; q++) {
      clock.pass(Duration.ofMillis(1));
      query(sampler, random.nextInt(keys));
    }
    assertThat(sampler.keys()).isBetween(2_000, 4_096);
    // The first query of each key in the sample misses everywhere: one in six here.
    MissCurve curve = sampler.curve();
    assertThat(curve.missRatio(0.5 * keys * BYTES)).isBetween(0.5, 0.7);
    assertThat(curve.missRatio((double) keys * BYTES)).isLessThan(0.25);
  }

  @Test
  void keepsPaceWithQueriesThatComeTooFast() {
    int keys = 4_000;
    // More than all keys need, so that none leaves the sample because others were used since.
    CurveSampler sampler = new CurveSampler(2L * keys * BYTES, clock);
    SplittableRandom random = new SplittableRandom(1);
    for (int q = 0; q < 100_000; q++) {
      clock.pass(Duration.ofNanos(100_000));
      query(sampler, random.nextInt(keys));
    }
    assertThat(sampler.keys()).as("10,000 a second are not too many").isEqualTo(keys);
    for (int q = 0; q < 1_000_000; q++) {
      clock.pass(Duration.ofNanos(1_000));
      query(sampler, random.nextInt(keys));
    }
    assertThat(sampler.keys()).isEqualTo(512);
    isUniform(sampler.curve(), keys, 0.12);
  }

  /** Its sample cannot have fewer keys: a few hundred already fill the whole cache. */
  @Test
  void keepsPaceInASmallCache() {
    CurveSampler sampler = new CurveSampler(300L * BYTES, clock);
    SplittableRandom random = new SplittableRandom(1);
    int[] sampled = new int[10];
    for (int q = 0; q < 2_000_000; q++) {
      clock.pass(Duration.ofNanos(1_000));
      long key = random.nextInt(100_000);
      if (sampler.samples(key)) {
        sampled[q / 200_000]++;
        sampler.query(key, key, BYTES);
      }
    }
    assertThat(sampled[9]).as("of 200,000 in 0.2 s").isLessThan(10_000).isPositive();
    assertThat(sampler.curve().missRatio(300 * BYTES)).isGreaterThan(0.98);
    for (int q = 0; q < 1_500_000; q++) {
      clock.pass(Duration.ofMillis(1));
      query(sampler, random.nextInt(100_000));
    }
    int slow = 0;
    for (int q = 0; q < 1_000; q++) {
      clock.pass(Duration.ofMillis(1));
      slow += sampler.samples(random.nextInt(100_000)) ? 1 : 0;
    }
    assertThat(slow).as("1,000 a second are not too many").isEqualTo(1_000);
  }

  @Test
  void threadsDoNotBendTheCurve() throws Exception {
    int keys = 3_000;
    CurveSampler sampler = new CurveSampler((long) keys * BYTES, System::nanoTime);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> work = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      SplittableRandom random = new SplittableRandom(t);
      work.add(
          threads.submit(
              () -> {
                for (int q = 0; q < 100_000; q++) {
                  query(sampler, random.nextInt(keys));
                }
              }));
    }
    while (!work.stream().allMatch(Future::isDone)) {
      MissCurve curve = sampler.curve();
      assertThat(curve == null ? 1 : curve.missRatio(0)).isEqualTo(1);
      Thread.sleep(1);
    }
    for (Future<?> one : work) {
      one.get(20, TimeUnit.SECONDS);
    }
    threads.shutdown();
    isUniform(sampler.curve(), keys, 0.15);
  }
}
