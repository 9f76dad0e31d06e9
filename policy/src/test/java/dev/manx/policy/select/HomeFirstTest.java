/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.ClusterState;
import dev.manx.policy.facts.FactColumn;
import dev.manx.policy.facts.HopMeter;
import dev.manx.policy.facts.Slowness;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Node 0 is home; a hop to node 1 takes 200 us, to node 2 400 us. */
@Timeout(30)
class HomeFirstTest {
  private static final int SELF = 0;
  private final ClusterState state = new ClusterState(8, 16);
  private final HopMeter hops = new HopMeter(8);
  private final HomeFirst home = new HomeFirst(8);
  private final double[] extras = new double[3];

  @BeforeEach
  void hops() {
    hops.answered(SELF, 100_000);
    hops.answered(1, 300_000);
    hops.answered(2, 500_000);
    hops.roll();
  }

  @Test
  void aShortReadStaysAtHome() {
    tick(60_000);
    assertThat(home.isBetterThan(1)).isTrue();
    assertThat(home.isBetterThan(2)).isTrue();
    assertThat(home.isBetterThan(SELF)).as("home over itself").isFalse();
    assertThat(home.isBetterThan(3)).as("a node that is not known").isFalse();
    assertThat(home.isBetterThan(-1)).isFalse();
    assertThat(home.isBetterThan(8)).isFalse();
  }

  @Test
  void aReadOfMoreThanHalfAHopIsLeftToTheSnitch() {
    tick(100_000);
    assertThat(home.isBetterThan(1)).as("200 us is twice 100 us").isTrue();
    tick(108_000);
    assertThat(home.isBetterThan(1)).as("smoothed to 101 us").isFalse();
    assertThat(home.isBetterThan(2)).isTrue();
  }

  @Test
  void aSlowHomeGivesItsReadsAway() {
    // A quarter of the time there, and the hop.
    slowness(SELF, 4);
    slowness(1, 1);
    tick(100_000);
    assertThat(home.isBetterThan(1)).as("100 us at home, 25 and 200 there").isTrue();
    assertThat(HomeFirst.isBetter(300_000, 0.25, 600_000, 200_000)).as("300, 75 + 200").isFalse();
    assertThat(HomeFirst.isBetter(300_000, 0.25, 600_000, 230_000)).as("300, 75 + 230").isTrue();
  }

  @Test
  void aSeverityAtHomeSendsReadsAwayAndOneThereKeepsThem() {
    extras[SELF] = 201_000;
    tick(100_000);
    assertThat(home.isBetterThan(1)).as("100 us and 1 us more than the hop saves").isFalse();
    extras[1] = 2_000;
    tick(100_000);
    assertThat(home.isBetterThan(1)).isTrue();
  }

  @Test
  void nothingIsKnownBeforeTheFirstReadHere() {
    tick(0);
    assertThat(home.isBetterThan(1)).isFalse();
    tick(50_000);
    assertThat(home.isBetterThan(1)).isTrue();
    tick(0);
    assertThat(home.isBetterThan(1)).as("not any more").isFalse();
  }

  @Test
  void oneLongReadDoesNotCountForManyShortOnes() {
    tick(40_000);
    tick(400_000);
    assertThat(home.isBetterThan(1)).as("(7 * 40 + 400) / 8 = 85 us").isTrue();
  }

  private void slowness(int node, int times) {
    state.apply(FactColumn.SLOWNESS, node, (long) times * Slowness.UNIT, 0);
  }

  private void tick(long serviceNanos) {
    home.tick(state, hops, serviceNanos, extras, SELF);
  }
}
