/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.select;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.policy.facts.HopMeter;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Node 0 is home; a hop to node 1 takes 200 us, to node 2 400 us. */
@Timeout(30)
class HomeFirstTest {
  private static final int SELF = 0;
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
    assertThat(home.isBetterThan(3)).as("an unknown node").isFalse();
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
  void aSeverityAtHomeSendsReadsAwayAndOneElsewhereKeepsThem() {
    extras[SELF] = 201_000;
    tick(100_000);
    assertThat(home.isBetterThan(1)).as("100 + 201 here, 200 there").isFalse();
    extras[1] = 101_000;
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
    assertThat(home.isBetterThan(1)).as("no longer").isFalse();
  }

  @Test
  void oneLongReadDoesNotCountForManyShortOnes() {
    tick(40_000);
    tick(400_000);
    assertThat(home.isBetterThan(1)).as("(7 * 40 + 400) / 8 = 85 us").isTrue();
  }

  /** They are served one after another, before the next keys are sent. */
  @Test
  void ofOneRequestAsManyReadsStayAsFitIntoAHop() {
    tick(60_000);
    assertThat(home.readsKept(1)).as("180 of 200 us").isEqualTo(3);
    assertThat(home.readsKept(2)).as("360 of 400 us").isEqualTo(6);
    assertThat(home.readsKept(SELF)).isZero();
    assertThat(home.readsKept(3)).as("of an unknown node").isZero();
    assertThat(home.readsKept(-1)).isZero();
    home.clear();
    assertThat(home.readsKept(1)).isZero();
  }

  private void tick(long serviceNanos) {
    home.tick(hops, serviceNanos, extras, SELF);
  }
}
