/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.copy;

import static dev.manx.cassandra.copy.CopyBench.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CopyTimerTest {
  private static final long START = -5_000_000_123L;

  private final List<SentRead> due = new ArrayList<>();
  private long now = START;
  private final CopyTimer<SentRead> timer = new CopyTimer<>("test", () -> now, due::add);
  private final SentRead read = SentReads.any();

  @ParameterizedTest
  @ValueSource(longs = {0, 1, 999_999, 5_000_000, 1_500_000_000, 60_000_000_000L})
  void aReadIsDueAtItsTimeAndNotBefore(long afterNanos) {
    timer.add(read, START + afterNanos);
    for (; now - START < afterNanos; now += MILLI) {
      timer.advance(now);
      assertThat(due).isEmpty();
    }
    now += 2 * MILLI;
    timer.advance(now);
    assertThat(due).containsExactly(read);
    assertThat(timer.armed()).isZero();
  }

  @Test
  void aThreadThatWasLateFindsAll() {
    for (int i = 1; i <= 3; i++) {
      timer.add(read, START + i * 700 * MILLI);
    }
    now += 10_000 * MILLI;
    timer.advance(now);
    assertThat(due).hasSize(3);
  }

  /** A pause of the JVM between reading the clock and adding the read. */
  @Test
  void aReadWhoseTimeHasPassedIsDueAtOnce() {
    now += 500 * MILLI;
    timer.advance(now);
    timer.add(read, START + 100 * MILLI);
    now += 2 * MILLI;
    timer.advance(now);
    assertThat(due).containsExactly(read);
  }

  @Test
  void itsThreadWakesForTheFirstRead() throws InterruptedException {
    CountDownLatch came = new CountDownLatch(1);
    CopyTimer<SentRead> real = new CopyTimer<>("test", System::nanoTime, r -> came.countDown());
    real.run();
    real.add(read, System.nanoTime());
    assertThat(came.await(30, TimeUnit.SECONDS)).isTrue();
  }

  /** A round of the wheel is 1,024 ms. */
  @Test
  void aConsumerThatDoesNotReturnKeepsNoReadOfALaterRound() throws InterruptedException {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    SentRead hangs = SentReads.any();
    CopyTimer<SentRead> hung =
        new CopyTimer<>(
            "test",
            () -> now,
            one -> {
              if (one == hangs) {
                entered.countDown();
                await(release);
              }
              due.add(one);
            });
    SentRead before = SentReads.any();
    hung.add(before, START + 1_124 * MILLI);
    hung.add(hangs, START + 100 * MILLI);
    hung.add(read, START + 1_124 * MILLI);
    Thread stuck = new Thread(() -> hung.advance(START + 102 * MILLI));
    stuck.start();
    entered.await();
    assertThat(hung.armed()).isEqualTo(2);
    hung.advance(START + 1_126 * MILLI);
    assertThat(due).containsExactly(before, read);
    assertThat(hung.armed()).isZero();
    release.countDown();
    stuck.join();
    assertThat(due).containsExactly(before, read, hangs);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Another node's message arrives while the hook is being installed. */
  @Test
  void aReadArmedBeforeTheTimerRunsIsDueOnceItRuns() throws InterruptedException {
    CountDownLatch came = new CountDownLatch(2);
    CopyTimer<SentRead> real = new CopyTimer<>("test", System::nanoTime, r -> came.countDown());
    real.add(read, System.nanoTime());
    real.run();
    real.add(SentReads.any(), System.nanoTime());
    assertThat(came.await(10, TimeUnit.SECONDS)).isTrue();
  }
}
