/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which hanging calls are interrupted, and when. */
@Timeout(60)
class InterruptedLoadsTest extends LoadLanes {
  private void giveUp() throws InterruptedException {
    load(lane, "waits");
    timer.passes();
    assertThat(next(givenUp)).isEqualTo("waits");
  }

  /**
   * Many clients abort an interrupted call; otherwise the backend would be lost until it returns.
   */
  @Test
  void atTheCeilingTheOldestCallIsInterruptedForOneThatWaits() throws Exception {
    hangAll(lane);
    guard.passes();
    load(lane, "waits");
    timer.passes();
    assertThat(givenUp).containsExactly("waits");
    assertThat(next(interrupted)).isNotNull();
    begin(lane, 1);
    assertThat(interrupted).isEmpty();
  }

  /** A call that ignores interrupts must not prevent the interruption of others. */
  @Test
  void atTheCeilingEachCallIsInterruptedOnceAndACodecNever() throws Exception {
    lane.execute(() -> codec("codec"));
    assertThat(next(begun)).isEqualTo("codec");
    lane.execute(() -> ignore("ignores"));
    assertThat(next(begun)).isEqualTo("ignores");
    guard.passes();
    int others = LoadLane.MOST_STUCK + LoadLane.AT_ONCE - 2;
    for (int i = 0; i < others; i++) {
      load(lane, "load " + i);
      assertThat(next(begun)).isEqualTo("load " + i);
      guard.passes();
    }
    for (String first : List.of("ignores", "load 0")) {
      giveUp();
      assertThat(next(interrupted)).isEqualTo(first);
    }
    load(lane, "begins");
    assertThat(next(begun)).isEqualTo("begins");
    assertThat(interrupted).isEmpty();
  }

  @Test
  void onceAllWereInterruptedNoneIsAgain() throws Exception {
    int all = LoadLane.MOST_STUCK + LoadLane.AT_ONCE;
    for (int i = 0; i < all; i++) {
      lane.execute(() -> ignore("ignores"));
      assertThat(next(begun)).isNotNull();
      guard.passes();
    }
    for (int i = 0; i <= all; i++) {
      giveUp();
    }
    for (int i = 0; i < all; i++) {
      assertThat(next(interrupted)).isNotNull();
    }
    assertThat(interrupted).isEmpty();
  }

  @Test
  void aLaterCallOfTheSameWorkIsInterruptedForItself() throws Exception {
    lane.execute(
        () -> {
          hang("first");
          hang("second");
        });
    assertThat(next(begun)).isEqualTo("first");
    guard.passes();
    for (int i = 1; i < LoadLane.MOST_STUCK + LoadLane.AT_ONCE; i++) {
      begin(lane, 1);
      guard.passes();
    }
    giveUp();
    assertThat(next(interrupted)).isEqualTo("first");
    assertThat(next(begun)).isEqualTo("second");
    giveUp();
    assertThat(next(interrupted)).isEqualTo("second");
  }

  /**
   * Hangs in enough lanes to occupy all threads; no lane has enough stuck calls to interrupt one.
   */
  private List<LoadLane> hangEverywhere() throws InterruptedException {
    List<LoadLane> lanes = new ArrayList<>();
    for (int held = 0; held < LoadThreads.MOST; held += LoadLane.MOST_STUCK) {
      LoadLane hangs = threads.lane(TIME_OUT, timer, guard);
      for (int stuck = 0; stuck < LoadLane.MOST_STUCK; stuck += LoadLane.AT_ONCE) {
        begin(hangs, LoadLane.AT_ONCE);
        guard.passes();
      }
      lanes.add(hangs);
    }
    return lanes;
  }

  @Test
  void whenLanesHoldAllThreadsTheOldestCallIsInterruptedForALaneThatHasNone() throws Exception {
    List<LoadLane> hung = hangEverywhere();
    load(lane, "waits");
    assertThat(begun).isEmpty();
    timer.passes();
    assertThat(givenUp).containsExactly("waits");
    assertThat(next(interrupted)).isNotNull();
    load(lane, "mine");
    assertThat(next(begun)).isEqualTo("mine");
    assertThat(interrupted).isEmpty();
    assertThat(hung.get(0).stuck()).isEqualTo(LoadLane.MOST_STUCK - 1);
  }

  @Test
  void afterTheEndOfABackendCallsThatHangAreInterrupted() throws Exception {
    begin(lane, 1);
    guard.passes();
    load(lane, "not stuck yet");
    assertThat(next(begun)).isEqualTo("not stuck yet");
    lane.close();
    assertThat(next(interrupted)).isEqualTo("load");
    assertThat(interrupted).isEmpty();
    guard.passes();
    assertThat(next(interrupted)).isEqualTo("not stuck yet");
  }

  @Test
  void workAfterALoaderIsNotInterrupted() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    BlockingQueue<Boolean> flags = new LinkedBlockingQueue<>();
    lane.execute(
        () -> {
          hang("load");
          called.countDown();
          while (lane.stuck() == 1 && release.getCount() == 1) {
            Thread.onSpinWait();
          }
          flags.add(Thread.currentThread().isInterrupted());
        });
    assertThat(next(begun)).isEqualTo("load");
    guard.passes();
    lane.close();
    assertThat(called.await(20, TimeUnit.SECONDS)).isTrue();
    lane.close();
    release.countDown();
    assertThat(flags.poll(20, TimeUnit.SECONDS)).isFalse();
  }
}
