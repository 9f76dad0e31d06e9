/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MB;
import static dev.manx.shares.CacheFixtures.MS;
import static dev.manx.shares.CacheFixtures.SECOND;
import static dev.manx.shares.CacheFixtures.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Moves space while it pays, returns to the shares of a shared cache, and starts again. */
@Timeout(60)
class GuardedPolicyTest {
  private static final MissCurve FLAT =
      new MissCurve(new double[] {0, 10 * MB, 400 * MB}, new double[] {1, 0.99, 0.985}, 1_000);
  private static final MissCurve STEEP =
      new MissCurve(new double[] {0, 400 * MB}, new double[] {1, 0.05}, 1_000);

  private final double[] shares = {100.0 * MB, 100.0 * MB, 100.0 * MB};
  private SharePolicy policy = CacheStrategy.named("cache.guarded").newPolicy();
  private long now;

  /** A window with one miss latency of b0 and another of the others, and the blocking counts. */
  private static WindowStatistics window(long[] missNanos, int... blocked) {
    WindowRecorder recorder = new WindowRecorder(names(blocked.length));
    for (int b = 0; b < blocked.length; b++) {
      for (int i = 0; i < 200; i++) {
        recorder.miss(b, missNanos[b]);
        recorder.hit(b, MS / 10);
      }
      for (int i = 0; i < blocked[b]; i++) {
        recorder.request(missNanos[b], b);
      }
    }
    return recorder.cut();
  }

  private void tick(WindowStatistics statistics, MissCurve... curves) {
    tick(statistics, 5 * SECOND, curves);
  }

  private void tick(WindowStatistics statistics, long passed, MissCurve... curves) {
    now += passed;
    double[] targets =
        policy.targets(
            new ShareView(
                now,
                statistics,
                shares.clone(),
                shares.clone(),
                new double[shares.length],
                Arrays.asList(curves)));
    System.arraycopy(targets, 0, shares, 0, shares.length);
    assertThat(CacheFixtures.sum(shares)).isCloseTo(300.0 * MB, within(1.0));
  }

  private static long[] ms(long... each) {
    return Arrays.stream(each).map(one -> one * MS).toArray();
  }

  @Test
  void itIsRobinHoodWhereSpaceHelps() {
    for (int i = 0; i < 60; i++) {
      tick(window(ms(40, 5, 5), 900, 50, 50), STEEP, STEEP, STEEP);
    }
    assertThat(shares[0]).isGreaterThan(150.0 * MB);
    assertThat(policy.report().resting()).isFalse();
    assertThat(policy.report().rests()).isZero();
  }

  @Test
  void aBackendThatAnswersLateByAConstantGetsNothingForKeysThatDoNotRepeat() {
    for (int i = 0; i < 20; i++) {
      tick(window(ms(5, 5, 5), 100, 450, 450), FLAT, STEEP, STEEP);
    }
    double before = shares[0];
    for (int i = 0; i < 200; i++) {
      tick(window(ms(80, 5, 5), 900, 50, 50), FLAT, STEEP, STEEP);
      assertThat(shares[0]).isLessThan(before * 1.001);
    }
  }

  @Test
  void aPolicyThatLosesRestsOnASharedCachesSharesUntilItPays() {
    shares[0] = 280.0 * MB;
    shares[1] = 10.0 * MB;
    shares[2] = 10.0 * MB;
    int ticks = 0;
    while (!policy.report().resting()) {
      tick(window(ms(5, 5, 5), 10, 500, 490), FLAT, STEEP, STEEP);
      assertThat(++ticks).isLessThan(100);
    }
    assertThat(policy.report().loss()).as("of the shares that it leaves").isBetween(0.05, 100.0);
    double least = shares[1];
    for (int i = 0; i < 3; i++) {
      tick(window(ms(5, 5, 5), 10, 500, 490), FLAT, STEEP, STEEP);
    }
    assertThat(policy.report().rests()).isEqualTo(1);
    assertThat(shares[1]).isGreaterThan(least);
    while (policy.report().resting()) {
      tick(window(ms(5, 90, 5), 0, 1_000, 0), FLAT, STEEP, STEEP);
      assertThat(++ticks).isLessThan(200);
    }
    double then = shares[1];
    tick(window(ms(5, 90, 5), 0, 1_000, 0), FLAT, STEEP, STEEP);
    assertThat(shares[1]).isGreaterThan(then);
  }

  @Test
  void aLossIsSeenAfterMissesThatTookNoTimeByTheClock() {
    shares[0] = 280.0 * MB;
    shares[1] = 10.0 * MB;
    shares[2] = 10.0 * MB;
    for (int i = 0; i < 3; i++) {
      tick(window(ms(0, 5, 5), 10, 500, 490), FLAT, STEEP, STEEP);
    }
    int ticks = 0;
    while (!policy.report().resting()) {
      tick(window(ms(5, 5, 5), 10, 500, 490), FLAT, STEEP, STEEP);
      assertThat(++ticks).isLessThan(100);
    }
  }

  /** For example, all queries of that backend went to another server so far. */
  @Test
  void aBackendWithoutACurveDoesNotSwitchTheGuardOff() {
    shares[0] = 280.0 * MB;
    shares[1] = 10.0 * MB;
    shares[2] = 10.0 * MB;
    int ticks = 0;
    while (!policy.report().resting()) {
      tick(window(ms(5, 5, 5), 10, 700, 290), FLAT, STEEP, null);
      assertThat(++ticks).isLessThan(100);
    }
    double least = shares[1];
    double without = shares[2];
    tick(window(ms(5, 5, 5), 10, 700, 290), FLAT, STEEP, null);
    assertThat(shares[1]).isGreaterThan(least);
    assertThat(shares[2]).isEqualTo(without);
  }

  /**
   * A window of a backend that is rarely queried: 12 misses where the uncompressed one has 120. Its
   * curve is so flat that a share grows only if the backend queues.
   */
  @Test
  void aCompressedRunSeesTheSameBackendsQueue() {
    MissCurve slight =
        new MissCurve(new double[] {0, 10 * MB, 400 * MB}, new double[] {1, 0.99, 0.9}, 1_000);
    CacheStrategy strategy = CacheStrategy.named("cache.guarded");
    for (double scale : new double[] {1, 0.1}) {
      policy = strategy.scaled(scale, () -> 1).newPolicy();
      Arrays.fill(shares, 100.0 * MB);
      for (int i = 0; i < 80; i++) {
        WindowRecorder recorder = new WindowRecorder(names(3));
        for (int b = 0; b < 3; b++) {
          for (int miss = 0; miss < 120 * scale; miss++) {
            // Queueing delays some of them more than others.
            recorder.miss(b, i > 20 && b == 0 && miss % 4 != 0 ? 95 * MS : 5 * MS);
          }
          for (int request = 0; request < (b == 0 ? 900 : 50); request++) {
            recorder.request(20 * MS, b);
          }
        }
        tick(recorder.cut(), Math.round(5 * SECOND * scale), slight, STEEP, STEEP);
      }
      assertThat(shares[0]).as("scale %s", scale).isGreaterThan(105.0 * MB);
    }
  }

  @Test
  void withoutCurvesItNeverRestsAndAClockThatGoesBackIsNoEvidence() {
    for (int i = 0; i < 50; i++) {
      tick(window(ms(40, 5, 5), 900, 50, 50), null, null, null);
    }
    assertThat(policy.report().resting()).isFalse();
    assertThat(shares[0]).isGreaterThan(110.0 * MB);
    now = 0;
    tick(window(ms(40, 5, 5), 900, 50, 50), STEEP, STEEP, STEEP);
    assertThat(policy.report().loss()).isNaN();
  }

  @Test
  void sharesAreValidWhateverHappens() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int run = 0; run < 20; run++) {
      policy = CacheStrategy.named("cache.guarded").newPolicy();
      Arrays.fill(shares, 100.0 * MB);
      for (int i = 0; i < 100; i++) {
        MissCurve[] curves = new MissCurve[3];
        int[] blocked = new int[3];
        long[] nanos = new long[3];
        for (int b = 0; b < 3; b++) {
          curves[b] = Arrays.asList(FLAT, STEEP, null).get(random.nextInt(3));
          blocked[b] = random.nextInt(100);
          nanos[b] = (1 + random.nextInt(100)) * MS;
        }
        tick(window(nanos, blocked), curves);
        assertThat(Arrays.stream(shares).min().orElseThrow())
            .as("seed %d, run %d, tick %d", seed, run, i)
            .isNotNegative();
      }
    }
  }

  /**
   * By hand: b1 gets three times as many queries, so in a shared cache it has three times the
   * bytes.
   */
  @Test
  void sharesOfASharedCacheFollowTheMisses() {
    WindowRecorder recorder = new WindowRecorder(names(3));
    int[] queries = {1, 3, 0};
    for (int b = 0; b < 3; b++) {
      for (int i = 0; i < 100 * queries[b]; i++) {
        recorder.miss(b, MS);
      }
    }
    MissCurve never = new MissCurve(new double[] {0, 400 * MB}, new double[] {1, 1}, 1_000);
    ShareView view =
        new ShareView(
            0,
            recorder.cut(),
            shares.clone(),
            shares.clone(),
            new double[3],
            Arrays.asList(never, never, null));
    assertThat(SharedShares.of(view))
        .containsExactly(new double[] {75.0 * MB, 225.0 * MB, 0}, within(0.1 * MB));
  }

  @Test
  void sharesOfASharedCacheBeyondTheCurvesAndWithoutThem() {
    MissCurve tiny = new MissCurve(new double[] {0, MB}, new double[] {1, 0.5}, 1_000);
    assertThat(shared(tiny, tiny, tiny))
        .containsExactly(new double[] {100.0 * MB, 100.0 * MB, 100.0 * MB}, within(1e3));
    shares[0] = 10.0 * MB;
    assertThat(shared(tiny, null, tiny))
        .containsExactly(new double[] {55.0 * MB, 100.0 * MB, 55.0 * MB}, within(1e3));
    assertThat(shared(null, null, null)).isNull();
  }

  private double[] shared(MissCurve... curves) {
    return SharedShares.of(
        new ShareView(
            0,
            window(ms(1, 1, 1), 1, 1, 1),
            shares.clone(),
            shares.clone(),
            new double[3],
            Arrays.asList(curves)));
  }

  private static WindowStatistics missing(int from, int to) {
    WindowRecorder recorder = new WindowRecorder(names(1));
    for (int i = 0; i < 1_000; i++) {
      recorder.miss(0, (i % 2 == 0 ? from : to) * MS);
    }
    return recorder.cut();
  }

  /**
   * Two misses fewer out of 98 in 100: negligible for an idle backend, much for one that queues.
   */
  @Test
  void nearItsCapacityFewMissesDecide() {
    Queueing queueing = new Queueing(3_600 * SECOND, 60 * SECOND, 50, 30 * SECOND);
    MissCurve curve = new MissCurve(new double[] {0, 100}, new double[] {1, 0.9});
    queueing.update(SECOND, missing(5, 10));
    assertThat(queueing.times(0, curve, 0, 20)).isEqualTo(0.98, within(0.001));
    // Four times as slow: utilisation 0.75; (1 - 0.75) / (1 - 0.75 x 0.98) of the time.
    queueing.update(2 * SECOND, missing(5, 55));
    assertThat(queueing.times(0, curve, 0, 20)).isEqualTo(0.98 * 0.25 / 0.265, within(0.03));
    // Nine times as slow, all by a constant.
    queueing.update(3 * SECOND, missing(65, 70));
    assertThat(queueing.times(0, curve, 0, 20)).isGreaterThan(0.95);
    assertThat(queueing.times(0, null, 0, 20)).isEqualTo(1);
  }

  /** The first misses after a start take 900 ms. A minute later, misses take four times as long. */
  @Test
  void aColdStartIsNotUsualForLong() {
    Queueing queueing = new Queueing(3_600 * SECOND, 60 * SECOND, 50, 30 * SECOND);
    MissCurve curve = new MissCurve(new double[] {0, 100}, new double[] {1, 0.9});
    queueing.update(SECOND, missing(900, 900));
    for (int second = 2; second <= 60; second++) {
      queueing.update(second * SECOND, missing(5, 10));
    }
    queueing.update(61 * SECOND, missing(5, 55));
    assertThat(queueing.times(0, curve, 0, 20)).isEqualTo(0.98 * 0.25 / 0.265, within(0.03));
  }

  /** At the second decision, with misses that are faster than at the first. */
  @Test
  void aClockThatJumpsBackChangesNoUsualLatency() {
    Queueing queueing = new Queueing(3_600 * SECOND, 60 * SECOND, 50, 30 * SECOND);
    MissCurve curve = new MissCurve(new double[] {0, 100}, new double[] {1, 0.9});
    queueing.update(100 * SECOND, missing(5, 10));
    queueing.update(SECOND, missing(4, 9));
    queueing.update(2 * SECOND, missing(5, 55));
    assertThat(queueing.times(0, curve, 0, 20)).isEqualTo(0.98 * 0.25 / 0.265, within(0.03));
  }

  /** An hour without a tick, then a window of loads that ended late: ten times as slow is busy. */
  @Test
  void aStopOfTheProcessIsNotUsual() {
    Queueing queueing = new Queueing(3_600 * SECOND, 60 * SECOND, 50, 30 * SECOND);
    MissCurve curve = new MissCurve(new double[] {0, 100}, new double[] {1, 0.9});
    for (int second = 0; second <= 3_600; second++) {
      queueing.update(second * SECOND, missing(5, 10));
    }
    queueing.update(7_200 * SECOND, missing(2_000, 2_000));
    for (int tick = 1; tick <= 180; tick++) {
      queueing.update((7_200 + 5 * tick) * SECOND, missing(5, 10));
    }
    // As without the stop: four times as slow is a utilisation of 0.75.
    queueing.update(8_105 * SECOND, missing(5, 55));
    assertThat(queueing.times(0, curve, 0, 20)).isEqualTo(0.98 * 0.25 / 0.265, within(0.03));
  }

  /**
   * By hand: ten times as slow is a utilisation of 0.9. After 10 s of it a minute's mean is 0.9 (1
   * - exp(-1/6)) = 0.138, after 5 min 0.9 (1 - exp(-5)) = 0.894.
   */
  @Test
  void aShortSqueezeDoesNotLast() {
    Queueing queueing = new Queueing(360_000 * SECOND, 60 * SECOND, 50, 30 * SECOND);
    queueing.update(SECOND, missing(5, 5));
    for (int second = 2; second <= 11; second++) {
      queueing.update(second * SECOND, missing(5, 95));
    }
    assertThat(queueing.lasting(0, 1, 0.98)).isEqualTo(times(0.138), within(0.005));
    for (int second = 12; second <= 301; second++) {
      queueing.update(second * SECOND, missing(5, 95));
    }
    assertThat(queueing.lasting(0, 1, 0.98)).isEqualTo(times(0.894), within(0.02));
  }

  /** A squeeze of 5 min, then 8 h of windows with so few misses that it counts as idle. */
  @Test
  void aSqueezeIsForgottenWhileItsBackendHasFewMisses() {
    Queueing queueing = new Queueing(3_600 * SECOND, 60 * SECOND, 50, 30 * SECOND);
    long time = 0;
    for (int tick = 0; tick < 720; tick++) {
      queueing.update(time += 5 * SECOND, missing(5, 5));
    }
    for (int tick = 0; tick < 60; tick++) {
      queueing.update(time += 5 * SECOND, missing(5, 95));
    }
    assertThat(queueing.lasting(0, 1, 0.98)).isLessThan(0.95);
    for (int tick = 0; tick < 5_760; tick++) {
      WindowRecorder recorder = new WindowRecorder(names(1));
      recorder.misses(0, 10, 5 * MS);
      queueing.update(time += 5 * SECOND, recorder.cut());
    }
    queueing.update(time + 5 * SECOND, missing(5, 5));
    assertThat(queueing.lasting(0, 1, 0.98)).isEqualTo(0.98, within(0.005));
  }

  private static double times(double rho) {
    return 0.98 * (1 - rho) / (1 - rho * 0.98);
  }
}
