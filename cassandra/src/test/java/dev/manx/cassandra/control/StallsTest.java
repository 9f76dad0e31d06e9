/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class StallsTest {
  private static final long SECOND = 1_000_000_000L;
  private final Stalls stalls = new Stalls();
  private long looked;

  /** Looks four times a second up to a moment; returns the result of the last look. */
  private boolean look(long untilNanos) {
    while (untilNanos - looked > SECOND / 4) {
      looked += SECOND / 4;
      stalls.look(looked);
    }
    looked = untilNanos;
    return stalls.look(untilNanos);
  }

  @Test
  @Timeout(60)
  void aThreadThatStaysInsideIsDetectedAtTheSecondLook() throws InterruptedException {
    CountDownLatch inside = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    Thread stuck =
        new Thread(
            () -> {
              final long outer = stalls.enter(7);
              inside.countDown();
              try {
                release.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              stalls.leave(outer);
            });
    stuck.start();
    inside.await();
    assertThat(look(SECOND)).as("not yet late").isFalse();
    assertThat(look(3 * SECOND)).isTrue();
    release.countDown();
    stuck.join();
    assertThat(look(4 * SECOND)).isFalse();
  }

  @Test
  void manyThreadsInsideAreDetectedSooner() {
    for (int thread = 1; thread <= 7; thread++) {
      stalls.enter(thread, 7);
    }
    look(SECOND / 4);
    look(SECOND / 2);
    assertThat(look(SECOND * 5 / 4)).as("seven").isFalse();
    for (int thread = 11; thread <= 18; thread++) {
      stalls.enter(thread, SECOND * 5 / 4);
    }
    for (int thread = 1; thread <= 7; thread++) {
      stalls.leave(thread, 0);
    }
    assertThat(look(SECOND * 6 / 4)).as("eight have just gone in").isFalse();
    assertThat(look(SECOND * 9 / 4)).as("not a second").isFalse();
    assertThat(look(SECOND * 10 / 4)).isTrue();
  }

  @Test
  void aPauseWithManyThreadsInsideIsNotAStall() {
    for (int thread = 1; thread <= 100; thread++) {
      stalls.enter(thread, 7);
    }
    assertThat(stalls.look(60 * SECOND)).as("first look after the pause").isFalse();
  }

  @Test
  void aPauseOfTheWholeJvmIsNotAStall() {
    long outer = stalls.enter(7);
    assertThat(stalls.look(60 * SECOND)).as("first look after the pause").isFalse();
    stalls.leave(outer);
    stalls.enter(60 * SECOND);
    assertThat(stalls.look(61 * SECOND)).isFalse();
  }

  @Test
  void aCallInsideAnotherDoesNotHideIt() {
    long outside = stalls.enter(7);
    long outer = stalls.enter(SECOND);
    stalls.leave(outer);
    look(2 * SECOND);
    assertThat(look(4 * SECOND)).isTrue();
    stalls.leave(outside);
    look(5 * SECOND);
    assertThat(look(9 * SECOND)).isFalse();
  }

  @Test
  void twoThreadsInOneSlotCauseNoFalseStall() {
    long first = 5;
    long second = 5 + 1024;
    long outerOfFirst = stalls.enter(first, 7);
    long outerOfSecond = stalls.enter(second, 8);
    stalls.leave(first, outerOfFirst);
    stalls.leave(second, outerOfSecond);
    look(SECOND);
    assertThat(look(4 * SECOND)).as("no thread is inside").isFalse();
    long alone = stalls.enter(second, 5 * SECOND);
    look(6 * SECOND);
    assertThat(look(8 * SECOND)).as("the slot is free again").isTrue();
    stalls.leave(second, alone);
    look(9 * SECOND);
    assertThat(look(12 * SECOND)).isFalse();
  }

  @Test
  void theFirstOfTwoThreadsIsWatched() {
    stalls.enter(5, 7);
    stalls.leave(5 + 1024, stalls.enter(5 + 1024, SECOND));
    look(2 * SECOND);
    assertThat(look(4 * SECOND)).isTrue();
  }

  @Test
  void manyThreadsInOneSlotLeaveItEmpty() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      long id = 5 + 1024L * i;
      threads.add(
          new Thread(
              () -> {
                for (int call = 2; call < 200_000; call++) {
                  long outer = stalls.enter(id, call);
                  stalls.leave(id, stalls.enter(id, call + 1));
                  stalls.leave(id, outer);
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    look(SECOND);
    assertThat(look(4 * SECOND)).isFalse();
  }

  @Test
  void forgottenThreadsAreNotStalls() {
    stalls.enter(7);
    look(SECOND);
    stalls.forget();
    assertThat(look(60 * SECOND)).isFalse();
  }

  @Test
  void aPauseAfterALookIsNotAStall() {
    look(SECOND);
    for (int thread = 1; thread <= 100; thread++) {
      stalls.enter(thread, SECOND);
    }
    look(SECOND + SECOND / 8);
    assertThat(stalls.look(60 * SECOND)).as("all were inside at the last look too").isFalse();
    assertThat(stalls.look(60 * SECOND + SECOND / 4)).as("and are still").isTrue();
  }
}
