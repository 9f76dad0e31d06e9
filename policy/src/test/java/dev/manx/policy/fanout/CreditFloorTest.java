/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.PolicyMaker;
import org.junit.jupiter.api.Test;

/** A burst is demanded once; what it leaves at the gate has no later demand. */
class CreditFloorTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void theLeastFloorLetsTheRestOfABurstGo() {
    CreditBuckets credits = new CreditBuckets(() -> 0, SECOND, 1, 2, SECOND, 0.001);
    CreditController controller = new CreditController(2, 1, 1e9, 0.001);
    credits.spend(0, 3 * SECOND, 0);
    controller.demand(1, new long[] {SECOND});
    controller.adapt();
    double[] granted = new double[1];
    controller.credits(0, granted);
    credits.grant(granted, SECOND);
    assertThat(credits.opensAtNanos(0)).isLessThan(Long.MAX_VALUE);
  }

  @Test
  void withoutAFloorItWouldNeverGoAndThatIsRefused() {
    assertThatThrownBy(() -> PolicyMaker.make("fanout.brb-credits", "floor: 0"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("floor");
  }
}
