/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MB;
import static dev.manx.shares.CacheFixtures.blocking;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Space for the backends that it helps. */
@Timeout(60)
class BenefitVetoTest {
  /** Half a point of misses from 10 to 400 MB: keys that hardly repeat. */
  private static final MissCurve FLAT =
      new MissCurve(new double[] {0, 10 * MB, 400 * MB}, new double[] {1, 0.99, 0.985});

  private static final MissCurve STEEP =
      new MissCurve(new double[] {0, 400 * MB}, new double[] {1, 0.1});

  /** No hits until all data fits: a loop over 150 MB. */
  private static final MissCurve CLIFF =
      new MissCurve(
          new double[] {0, 149 * MB, 150 * MB, 400 * MB}, new double[] {1, 0.999, 0.01, 0.01});

  private final SharePolicy robinHood =
      new RobinHoodPolicy(0.01, 0.3, Goals.parse("p99", 0.005, 50));
  private final BenefitVeto veto = new BenefitVeto(robinHood, 0.05);

  @Test
  void aBackendWhoseMissesSpaceDoesNotSpareGetsNone() {
    ShareView view = EqualShares.view(blocking(1_000, 0, 0), FLAT, STEEP, STEEP);
    assertThat(robinHood.targets(view)[0]).isGreaterThan(101.0 * MB);
    assertThat(veto.targets(view)).containsExactly(new double[] {100e6, 100e6, 100e6}, within(1.0));
  }

  @Test
  void oneThatItHelpsGetsWhatTheOtherMayNotHave() {
    double[] targets = veto.targets(EqualShares.view(blocking(500, 500, 0), FLAT, STEEP, STEEP));
    assertThat(targets[0]).isEqualTo(100.0 * MB);
    assertThat(targets[1]).isGreaterThan(100.0 * MB);
    assertThat(targets[2]).isLessThan(100.0 * MB);
    assertThat(CacheFixtures.sum(targets)).isCloseTo(300.0 * MB, within(1.0));
  }

  @Test
  void beforeACliffAndWithoutACurveThereIsNoVeto() {
    for (MissCurve curve : new MissCurve[] {CLIFF, null}) {
      double[] targets = veto.targets(EqualShares.view(blocking(1_000, 0, 0), curve, STEEP, STEEP));
      assertThat(targets[0]).isGreaterThan(101.0 * MB);
    }
  }

  @Test
  void theSumIsKeptWhateverIsVetoed() {
    long seed = System.nanoTime();
    SplittableRandom random = new SplittableRandom(seed);
    for (int i = 0; i < 500; i++) {
      MissCurve[] curves = new MissCurve[5];
      int[] blocked = new int[5];
      for (int b = 0; b < 5; b++) {
        curves[b] = Arrays.asList(FLAT, STEEP, CLIFF, null).get(random.nextInt(4));
        blocked[b] = random.nextInt(50);
      }
      double[] targets = veto.targets(EqualShares.view(blocking(blocked), curves));
      assertThat(CacheFixtures.sum(targets))
          .as("seed %d, view %d", seed, i)
          .isCloseTo(500.0 * MB, within(1.0));
      assertThat(Arrays.stream(targets).min().orElseThrow())
          .as("seed %d, view %d", seed, i)
          .isNotNegative();
    }
  }

  /** Composed in code, too: the return to the shares of a shared cache must not be vetoed. */
  @Test
  void aPolicyThatWeighsTheBenefitItselfIsLeftAlone() {
    SharePolicy guarded = CacheStrategy.named("cache.guarded").newPolicy();
    SharePolicy grouped = new GroupedPolicy(guarded, List.of(List.of("b0", "b1")));
    for (SharePolicy policy : List.of(guarded, grouped, veto)) {
      assertThat(BenefitVeto.over(policy, 0.05)).isSameAs(policy);
    }
    assertThat(BenefitVeto.over(robinHood, 0.05)).isInstanceOf(BenefitVeto.class);
  }

  @Test
  void itIsThePolicyInAllElse() {
    assertThat(veto.wantsCurves()).isTrue();
    assertThat(veto.enoughRequests()).isEqualTo(robinHood.enoughRequests());
    assertThat(new BenefitVeto(new SharedPolicy(), 0.1).partitions()).isFalse();
    for (double bad : List.of(0.0, -1.0, 1.5, Double.NaN)) {
      assertThatThrownBy(() -> new BenefitVeto(robinHood, bad)).hasMessageContaining("least gain");
    }
  }
}
