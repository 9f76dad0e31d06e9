/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Exchanger;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TickTimerTest {
  /** Otherwise tickets would no longer expire, and facts would grow old, until a restart. */
  @Test
  void anotherThreadTicksAfterTheLastOneDied() throws Exception {
    AtomicInteger ticks = new AtomicInteger();
    CountDownLatch again = new CountDownLatch(2);
    Exchanger<Thread> first = new Exchanger<>();
    TickTimer timer =
        new TickTimer(
            System::nanoTime,
            () -> {
              if (ticks.getAndIncrement() == 0) {
                die(first);
              }
              again.countDown();
            },
            1);
    timer.ensure(System.nanoTime());
    Thread dead = first.exchange(null);
    dead.join();
    timer.ensure(System.nanoTime());
    assertThat(again.await(50, TimeUnit.SECONDS)).isTrue();
  }

  private static void die(Exchanger<Thread> to) {
    Thread self = Thread.currentThread();
    self.setUncaughtExceptionHandler((thread, error) -> {});
    try {
      to.exchange(self);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    throw new IllegalStateException("the tick of a test");
  }
}
