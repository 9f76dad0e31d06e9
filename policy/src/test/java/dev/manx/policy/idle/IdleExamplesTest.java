/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.idle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.manx.policy.idle.AdaptiveIdle.Growth;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Cases computed by hand; WiredTiger's law is that of its {@code __wt_spin_backoff}. */
class IdleExamplesTest {
  private static final long MICRO = 1_000;

  private final FakeWaiter waiter = new FakeWaiter();

  private IdleStrategy wiredTiger() {
    return new AdaptiveIdle(waiter, 10, 990, 100 * MICRO, Growth.ADD, 1_000 * MICRO);
  }

  private IdleStrategy ours() {
    return new AdaptiveIdle(waiter, 100, 10, MICRO, Growth.DOUBLE, 1_000 * MICRO);
  }

  /** A wait in which the check after that many calls finds the condition true. */
  private static void waitFor(IdleStrategy idle, int calls) {
    idle.reset();
    for (int i = 0; i < calls; i++) {
      idle.idle();
    }
  }

  @ParameterizedTest
  @CsvSource({"5, 5, 0, 0", "10, 10, 0, 0", "500, 10, 490, 0", "1000, 10, 990, 0"})
  void wiredTigerSpinsThenYields(int calls, long spins, long yields, int parks) {
    waitFor(wiredTiger(), calls);
    assertThat(waiter.spins).isEqualTo(spins);
    assertThat(waiter.yields).isEqualTo(yields);
    assertThat(waiter.parks).hasSize(parks);
  }

  @Test
  void wiredTigerSleepsGrowBy100MicrosecondsTo1Millisecond() {
    waitFor(wiredTiger(), 1_010);
    assertThat(waiter.parks)
        .containsExactlyElementsOf(
            List.of(100, 200, 300, 400, 500, 600, 700, 800, 900, 1_000).stream()
                .map(us -> us * MICRO)
                .toList());
    assertThat(waiter.nowNanos).isEqualTo(5_500 * MICRO);
  }

  @Test
  void wiredTigerHasSlept7500MicrosecondsAfter12Sleeps() {
    waitFor(wiredTiger(), 1_012);
    assertThat(waiter.nowNanos).isEqualTo(7_500 * MICRO);
    assertThat(waiter.parks.subList(10, 12)).containsOnly(1_000 * MICRO);
  }

  @Test
  void oursSpinsYieldsAndDoublesFrom1MicrosecondTo1Millisecond() {
    waitFor(ours(), 100 + 10 + 12);
    assertThat(waiter.spins).isEqualTo(100);
    assertThat(waiter.yields).isEqualTo(10);
    assertThat(waiter.parks)
        .containsExactlyElementsOf(
            List.of(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_000, 1_000).stream()
                .map(us -> us * MICRO)
                .toList());
  }

  @Test
  void everyWaitBeginsAnew() {
    IdleStrategy idle = ours();
    waitFor(idle, 150);
    waiter.parks.clear();
    waiter.spins = 0;
    waitFor(idle, 111);
    assertThat(waiter.spins).isEqualTo(100);
    assertThat(waiter.parks).containsExactly(MICRO);
  }

  @Test
  void withoutSpinsAndYieldsItSleepsAtOnce() {
    waitFor(new AdaptiveIdle(waiter, 0, 0, 7, Growth.DOUBLE, 7), 2);
    assertThat(waiter.parks).containsExactly(7L, 7L);
  }

  @ParameterizedTest
  @CsvSource({"-1, 0, 1, 1", "0, -1, 1, 1", "0, 0, 0, 1", "0, 0, 2, 1"})
  void refusesInvalidSettings(int spins, int yields, long first, long max) {
    assertThatThrownBy(() -> new AdaptiveIdle(waiter, spins, yields, first, Growth.ADD, max))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theOthersUseOneOperationOnly() {
    waitFor(new SpinIdle(waiter), 1_000);
    assertThat(waiter.longestOnCore).isEqualTo(1_000);
    waitFor(new YieldIdle(waiter), 7);
    assertThat(waiter.yields).isEqualTo(7);
    waitFor(new ParkIdle(waiter, 50 * MICRO), 3);
    assertThat(waiter.parks).containsExactly(50 * MICRO, 50 * MICRO, 50 * MICRO);
    assertThat(waiter.spins).isEqualTo(1_000);
  }

  @Test
  void awaitChecksFirstAndGivesUpAtTheDeadline() {
    IdleStrategy idle = new ParkIdle(waiter, 10);
    assertThat(idle.await(() -> true, () -> waiter.nowNanos, 0)).isTrue();
    assertThat(waiter.parks).isEmpty();
    assertThat(idle.await(() -> waiter.nowNanos >= 30, () -> waiter.nowNanos, 100)).isTrue();
    assertThat(waiter.nowNanos).isEqualTo(30);
    assertThat(idle.await(() -> false, () -> waiter.nowNanos, 55)).isFalse();
    assertThat(waiter.nowNanos).isEqualTo(60);
  }

  @Test
  void anInterruptedThreadStillSleepsAndStaysInterrupted() {
    Thread.currentThread().interrupt();
    try {
      // A leftover unpark permit may end one sleep early, not two.
      long start = System.nanoTime();
      ThreadWaiter.INSTANCE.park(TimeUnit.MILLISECONDS.toNanos(20));
      ThreadWaiter.INSTANCE.park(TimeUnit.MILLISECONDS.toNanos(20));
      assertThat(System.nanoTime() - start).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(10));
      assertThat(Thread.currentThread().isInterrupted()).isTrue();
    } finally {
      Thread.interrupted();
    }
  }
}
