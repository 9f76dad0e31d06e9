/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class AsideTest {
  private static final long SECOND = 1_000_000_000L;

  private final Aside aside = new Aside();

  @Test
  void aSwitchThatDoesNotReturnIsDetectedOnceAndBlocksNoCaller() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    assertThat(aside.isBusy()).isFalse();
    assertThat(aside.isStuck(9 * SECOND)).isFalse();
    aside.run(
        () -> {
          try {
            goOn.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          } finally {
            ended.countDown();
          }
        },
        10 * SECOND);
    assertThat(aside.isBusy()).isTrue();
    assertThat(aside.isStuck(12 * SECOND)).isFalse();
    assertThat(aside.isStuck(12 * SECOND + 1)).as("perhaps the JVM paused").isFalse();
    assertThat(aside.isStuck(13 * SECOND)).isTrue();
    assertThat(aside.isStuck(14 * SECOND)).isFalse();
    goOn.countDown();
    ended.await();
    while (aside.isBusy()) {
      Thread.onSpinWait();
    }
    aside.run(ended::countDown, 20 * SECOND);
    while (aside.isBusy()) {
      Thread.onSpinWait();
    }
    assertThat(aside.isStuck(30 * SECOND)).isFalse();
    assertThat(aside.isStuck(31 * SECOND)).isFalse();
  }
}
