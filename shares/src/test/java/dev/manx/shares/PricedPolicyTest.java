/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MB;
import static dev.manx.shares.CacheFixtures.MS;
import static dev.manx.shares.CacheFixtures.SECOND;
import static dev.manx.shares.CacheFixtures.names;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Space from where it is missed least to where it helps most. */
@Timeout(60)
class PricedPolicyTest {
  private static final double[] SPACES = {0, 400.0 * MB};

  /** From 100 % of misses to 20 %: 80 % at 100 MB, 60 % at 200 MB. */
  private static final MissCurve STEEP = new MissCurve(SPACES, new double[] {1, 0.2});

  /** A third as steep: 93 % at 100 MB. */
  private static final MissCurve GENTLE = new MissCurve(SPACES, new double[] {1, 0.733});

  private static final MissCurve FLAT = new MissCurve(SPACES, new double[] {0.9, 0.9});

  private final SharePolicy robinHood =
      new RobinHoodPolicy(0.01, 0.3, new Goals(List.of(0.5), 0.5, 1));
  private final Queueing queueing = new Queueing(3_600 * SECOND, 60 * SECOND, 50, 30 * SECOND);
  private final PricedPolicy priced = new PricedPolicy(robinHood, 0.05, 0.01, queueing);

  /** Every backend has hits and misses, and blocks a number of requests of 100 ms. */
  private static WindowStatistics window(int... blocked) {
    WindowRecorder recorder = new WindowRecorder(names(blocked.length));
    for (int b = 0; b < blocked.length; b++) {
      recorder.hits(b, 100, MS / 10);
      recorder.misses(b, 100, 5 * MS);
      for (int i = 0; i < blocked[b]; i++) {
        recorder.request(100 * MS, b);
      }
    }
    return recorder.cut();
  }

  /**
   * By hand: four shares, so RobinHood's pool is 4 MB, of which b0 gets 3.6 and pays 1. b1 and b3
   * lose nothing: b1, because its curve is flat, and b3, because it never blocks. The first of two
   * equals gives first, twice the tax at most.
   */
  @Test
  void theSpaceComesFromTheShareThatLosesLeast() {
    double[] targets =
        priced.targets(EqualShares.view(window(900, 50, 50, 0), STEEP, FLAT, STEEP, STEEP));
    assertThat(targets).containsExactly(new double[] {102.6e6, 98e6, 100e6, 99.4e6}, within(1.0));
  }

  /**
   * By hand, for each MB: GENTLE loses 0.00067 of 0.93 misses, STEEP 0.002 of 0.8. So the 600
   * requests of b0 would be spared 600 x 0.0007 = 0.43 of their time of 100 ms, and the 400 of b1
   * would lose 400 x 0.0025 = 1; with 800 and 100 requests it is 0.57 to 0.25.
   */
  @Test
  void noSpaceMovesIfItsLossCostsMoreThanItSpares() {
    assertThat(priced.targets(EqualShares.view(window(600, 400), GENTLE, STEEP)))
        .containsExactly(new double[] {100e6, 100e6}, within(1.0));
    double[] targets = priced.targets(EqualShares.view(window(800, 100), GENTLE, STEEP));
    assertThat(targets[0]).isEqualTo(100e6 + (2 * 8 / 9.0 - 1) * 1e6, within(1.0));
  }

  /**
   * By hand: b0 has queries of three keys, 93 % of which are missing, so all wait. With a doubled
   * share 87 % are missing, and 0.998 of the time is left: no gain.
   */
  @Test
  void fewerMissesThatSaveNoQueryItsWaitAreNoGain() {
    WindowRecorder recorder = new WindowRecorder(names(2));
    for (int i = 0; i < 1_000; i++) {
      recorder.query(0, i < 200 ? 1 : 0, MS / 10, i < 200 ? 2 : 3, 5 * MS);
    }
    recorder.hits(1, 100, MS / 10);
    recorder.misses(1, 100, 5 * MS);
    int[] blocked = {800, 100};
    for (int b = 0; b < 2; b++) {
      for (int i = 0; i < blocked[b]; i++) {
        recorder.request(100 * MS, b);
      }
    }
    WindowStatistics window = recorder.cut();
    queueing.update(SECOND, window);
    assertThat(priced.targets(EqualShares.view(window, GENTLE, FLAT)))
        .containsExactly(100e6, 100e6);
  }

  @Test
  void aFallThatTheSampleDoesNotSupportIsNone() {
    double[] ratios = {1, 0.6};
    assertThat(new MissCurve(SPACES, ratios).sureFall(100.0 * MB, 200.0 * MB))
        .isEqualTo(0.1, within(1e-9));
    // One standard error is sqrt(0.1 / 1000) = 0.01.
    assertThat(new MissCurve(SPACES, ratios, 1, 1_000).sureFall(100.0 * MB, 200.0 * MB))
        .isEqualTo(0.08, within(1e-9));
    assertThat(new MissCurve(SPACES, ratios, 1, 1_000).convex().sureFall(100.0 * MB, 200.0 * MB))
        .isEqualTo(0.08, within(1e-9));
    assertThat(new MissCurve(SPACES, ratios, 1, 30).sureFall(100.0 * MB, 200.0 * MB)).isZero();
  }

  @Test
  void aShareDoesNotGrowByChance() {
    for (double queries : new double[] {10, 10_000}) {
      MissCurve curve = new MissCurve(SPACES, new double[] {1, 0.2}, 1, queries);
      double[] targets = priced.targets(EqualShares.view(window(900, 100), curve, FLAT));
      if (queries == 10) {
        assertThat(targets).containsExactly(100e6, 100e6);
      } else {
        assertThat(targets).containsExactly(new double[] {100.8e6, 99.2e6}, within(1.0));
      }
    }
  }

  @Test
  void aGainBelowTheLeastIsNoReason() {
    // Doubled, 1 % of the misses fewer.
    MissCurve hardly = new MissCurve(SPACES, new double[] {1, 0.96});
    assertThat(priced.targets(EqualShares.view(window(999, 1), hardly, FLAT)))
        .containsExactly(100e6, 100e6);
  }

  @Test
  void floorsAreKept() {
    ShareView view = EqualShares.view(window(1_000, 0, 0), STEEP, FLAT, FLAT);
    Arrays.fill(view.floors(), 98.9 * MB);
    assertThat(priced.targets(view))
        .containsExactly(new double[] {102e6, 98.9e6, 99.1e6}, within(1.0));
  }

  /** A store that is not measured has no curve; a new backend without queries has none yet. */
  @Test
  void aBackendWithoutACurveTakesAndGivesWhatThePolicyWants() {
    ShareView none = EqualShares.view(window(800, 150, 50), null, null, null);
    assertThat(priced.targets(none)).containsExactly(robinHood.targets(none), within(1.0));
    // By hand: b0 gets 3 x 0.9 - 1 = 1.7 MB, of which b1 gives its tax, and the flat b2 the rest.
    assertThat(priced.targets(EqualShares.view(window(900, 0, 100), STEEP, null, FLAT)))
        .containsExactly(new double[] {101.7e6, 99e6, 99.3e6}, within(1.0));
  }

  @Test
  void sharesAreValidAndMoveSlowlyWhateverHappens() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      int n = 2 + random.nextInt(8);
      MissCurve[] curves = new MissCurve[n];
      int[] blocked = new int[n];
      for (int b = 0; b < n; b++) {
        double last = random.nextDouble();
        curves[b] = new MissCurve(SPACES, new double[] {1, last}, 1, 1 + random.nextInt(10_000));
        blocked[b] = random.nextInt(50);
      }
      ShareView view = EqualShares.view(window(blocked), curves);
      Arrays.setAll(view.floors(), b -> random.nextDouble() * 120 * MB);
      Arrays.setAll(view.allocated(), b -> random.nextDouble() * 200 * MB);
      System.arraycopy(view.allocated(), 0, view.used(), 0, n);
      double[] before = view.allocated().clone();
      double[] wanted = robinHood.targets(view);
      double[] targets = priced.targets(view);
      String at = "seed " + seed + ", view " + i;
      assertThat(priced.targets(view)).as(at).containsExactly(targets);
      assertThat(CacheFixtures.sum(targets))
          .as(at)
          .isCloseTo(CacheFixtures.sum(before), within(1.0));
      for (int b = 0; b < n; b++) {
        assertThat(targets[b]).as(at).isGreaterThanOrEqualTo(0.98 * before[b] - 1);
        assertThat(targets[b]).as(at).isGreaterThanOrEqualTo(Math.min(before[b], view.floors()[b]));
        assertThat(targets[b]).as(at).isLessThanOrEqualTo(Math.max(before[b], wanted[b]) + 1);
      }
    }
  }
}
