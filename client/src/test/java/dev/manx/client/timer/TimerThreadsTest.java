/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.timer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TimerThreadsTest {
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  @Test
  void aNearerTaskWakesTheWatchUpEarlier() throws Exception {
    try (TimerThreads timer = new TimerThreads("test")) {
      CompletableFuture<String> far = new CompletableFuture<>();
      Alarm alarm = timer.after(HOUR, () -> far.complete("far"));
      for (int i = 0; i < 50; i++) {
        CountDownLatch near = new CountDownLatch(1);
        timer.after(TimeUnit.MILLISECONDS.toNanos(i % 5), near::countDown);
        near.await();
      }
      assertThat(far).isNotDone();
      alarm.cancel();
    }
  }

  @Test
  void closingRunsWhatWaitsAndRefusesTheRest() throws Exception {
    TimerThreads timer = new TimerThreads("test");
    CompletableFuture<String> waits = new CompletableFuture<>();
    CompletableFuture<String> cancelled = new CompletableFuture<>();
    timer.after(HOUR, () -> waits.complete("ran"));
    timer.after(Long.MAX_VALUE, () -> {});
    timer.after(HOUR, () -> cancelled.complete("ran")).cancel();
    timer.close();
    timer.close();
    assertThat(waits.get(30, TimeUnit.SECONDS)).isEqualTo("ran");
    assertThat(cancelled).isNotDone();
    assertThatThrownBy(() -> timer.after(0, () -> {}))
        .isInstanceOf(RejectedExecutionException.class);
  }

  @Test
  void aTaskThatThrowsEndsNothing() throws Exception {
    try (TimerThreads timer = new TimerThreads("test")) {
      for (int i = 0; i < 20; i++) {
        timer.after(
            0,
            () -> {
              throw new AssertionError("expected: a task that throws");
            });
      }
      CountDownLatch later = new CountDownLatch(1);
      timer.after(1, later::countDown);
      later.await();
    }
  }

  @Test
  void ofTasksThatAreRunByClosingOneThatThrowsKeepsNoOtherFromIt() throws Exception {
    TimerThreads timer = new TimerThreads("test");
    CountDownLatch ran = new CountDownLatch(20);
    for (int i = 0; i < 20; i++) {
      timer.after(
          HOUR,
          () -> {
            ran.countDown();
            throw new AssertionError("expected: a task that throws");
          });
    }
    timer.close();
    ran.await();
  }
}
