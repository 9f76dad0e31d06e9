/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import static dev.manx.shares.CacheFixtures.MB;
import static dev.manx.shares.CacheFixtures.blocking;
import static dev.manx.shares.CacheFixtures.view;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Decisions that are reported only. */
@Timeout(60)
class ShadowPolicyTest {
  private final ShadowPolicy shadow =
      new ShadowPolicy(new RobinHoodPolicy(0.01, 0.3, Goals.parse("p99", 0.005, 50)));

  private double[] tick(double... shares) {
    return shadow.targets(view(blocking(1_000, 0, 0), shares));
  }

  @Test
  void noShareMovesAndTheReportSaysWhatWould() {
    double[] shares = {100.0 * MB, 100.0 * MB, 100.0 * MB};
    assertThat(tick(shares)).containsExactly(shares);
    assertThat(shadow.report().wanted())
        .containsEntry("b0", 102 * MB)
        .containsEntry("b1", 99 * MB)
        .containsEntry("b2", 99 * MB);
    for (int i = 0; i < 500; i++) {
      assertThat(tick(shares)).containsExactly(shares);
    }
    long all = shadow.report().wanted().values().stream().mapToLong(bytes -> bytes).sum();
    assertThat(all).isBetween(300 * MB - 3, 300 * MB + 3);
    // Its statistics do not respond to it, so it stops at twice and at half the shares.
    assertThat(shadow.report().wanted().get("b0")).isBetween(190 * MB, 200 * MB);
  }

  @Test
  void itBeginsAnewWhenTheSharesChange() {
    for (int i = 0; i < 20; i++) {
      tick(100.0 * MB, 100.0 * MB, 100.0 * MB);
    }
    tick(50.0 * MB, 200.0 * MB, 50.0 * MB);
    assertThat(shadow.report().wanted().get("b1")).isEqualTo(198 * MB);
  }

  @Test
  void itAsksForWhatItsPolicyNeeds() {
    SharePolicy guarded = CacheStrategy.named("cache.guarded").newPolicy();
    assertThat(new ShadowPolicy(guarded).wantsCurves()).isTrue();
    assertThat(new ShadowPolicy(guarded).enoughRequests()).isEqualTo(guarded.enoughRequests());
    assertThat(new ShadowPolicy(new SharedPolicy()).partitions()).isFalse();
  }
}
