/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ReplaceableThreadTest {
  private final AtomicLong now = new AtomicLong(-5);
  private final BlockingQueue<Thread> passes = new LinkedBlockingQueue<>();

  /** Otherwise tickets would no longer expire, and facts would grow old, until a restart. */
  @Test
  void anotherThreadWorksAfterTheLastOneDied() throws InterruptedException {
    ReplaceableThread replaceable =
        new ReplaceableThread(
            "test",
            now::get,
            began -> {
              Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
              passes.add(Thread.currentThread());
              throw new IllegalStateException("the pass of a test");
            },
            () -> {});
    replaceable.ensure();
    Thread dead = passes.take();
    dead.join();
    replaceable.ensure();
    assertThat(passes.take()).isNotSameAs(dead);
  }

  @Test
  void aThreadThatHangsForTwoSecondsIsReplacedAndEndsWithItsPass() throws InterruptedException {
    Map<Thread, CountDownLatch> hangs = new ConcurrentHashMap<>();
    ReplaceableThread replaceable =
        new ReplaceableThread(
            "test-hang",
            now::get,
            began -> {
              CountDownLatch hang = new CountDownLatch(1);
              hangs.put(Thread.currentThread(), hang);
              passes.add(Thread.currentThread());
              awaitUninterruptibly(hang);
            },
            () -> LockSupport.park(this));
    replaceable.ensure();
    Thread first = passes.take();
    now.addAndGet(TimeUnit.SECONDS.toNanos(2) - 1);
    replaceable.ensure();
    assertThat(living("test-hang")).containsExactly(first);
    now.incrementAndGet();
    replaceable.ensure();
    Thread second = passes.take();
    assertThat(second).isNotSameAs(first);
    hangs.get(first).countDown();
    first.join();
    now.addAndGet(TimeUnit.SECONDS.toNanos(2));
    replaceable.ensure();
    // The first one's return did not make the second one, which hangs, look as if it rested.
    Thread third = passes.take();
    assertThat(third).isNotSameAs(second);
    assertThat(hangs).hasSize(3);
    hangs.values().forEach(CountDownLatch::countDown);
  }

  @Test
  void itStartsWhenItIsFirstWokenAndRestsUntilItIsWokenAgain() throws InterruptedException {
    ReplaceableThread replaceable =
        new ReplaceableThread(
            "test",
            now::get,
            began -> passes.add(Thread.currentThread()),
            () -> LockSupport.park(this));
    assertThat(replaceable.isStarted()).isFalse();
    replaceable.wake();
    Thread first = passes.take();
    assertThat(replaceable.isStarted()).isTrue();
    assertThat(first.isDaemon()).isTrue();
    assertThat(first.getName()).isEqualTo("test");
    replaceable.wake();
    assertThat(passes.take()).isSameAs(first);
  }

  private static List<Thread> living(String name) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals(name))
        .toList();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
