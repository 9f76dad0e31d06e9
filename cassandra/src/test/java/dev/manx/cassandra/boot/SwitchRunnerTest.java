/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class SwitchRunnerTest {
  private static final long SECOND = 1_000_000_000L;

  private final SwitchRunner runner = new SwitchRunner();

  @Test
  void aSwitchThatDoesNotReturnIsDetectedOnceAndBlocksNoCaller() throws InterruptedException {
    CountDownLatch goOn = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    assertThat(runner.isBusy()).isFalse();
    assertThat(runner.isStuck(9 * SECOND)).isFalse();
    runner.run(
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
    assertThat(runner.isBusy()).isTrue();
    assertThat(runner.isStuck(12 * SECOND)).isFalse();
    assertThat(runner.isStuck(12 * SECOND + 1)).as("perhaps the JVM paused").isFalse();
    assertThat(runner.isStuck(13 * SECOND)).isTrue();
    assertThat(runner.isStuck(14 * SECOND)).isFalse();
    goOn.countDown();
    ended.await();
    while (runner.isBusy()) {
      Thread.onSpinWait();
    }
    runner.run(ended::countDown, 20 * SECOND);
    while (runner.isBusy()) {
      Thread.onSpinWait();
    }
    assertThat(runner.isStuck(30 * SECOND)).isFalse();
    assertThat(runner.isStuck(31 * SECOND)).isFalse();
  }
}
