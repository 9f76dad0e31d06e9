/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many threads loaders hold, and what becomes of those that hang. */
@Timeout(60)
class LoadLaneTest {
  private static final long TIME_OUT = 1_000;

  private final HandTimer timer = new HandTimer();
  private final HandTimer guard = new HandTimer();
  private final LoadThreads threads = new LoadThreads();
  private final LoadLane lane = threads.lane(TIME_OUT, timer, guard);
  private final CountDownLatch release = new CountDownLatch(1);
  private final BlockingQueue<String> begun = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> givenUp = new LinkedBlockingQueue<>();
  private final BlockingQueue<String> interrupted = new LinkedBlockingQueue<>();

  /** Its time passes when the test says so. */
  private static final class HandTimer implements Timer {
    private final Set<Runnable> tasks = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    @Override
    public Alarm after(long nanos, Runnable task) {
      if (closed) {
        throw new RejectedExecutionException("closed");
      }
      tasks.add(task);
      return () -> tasks.remove(task);
    }

    void passes() {
      List<Runnable> due = new ArrayList<>(tasks);
      due.forEach(tasks::remove);
      due.forEach(Runnable::run);
    }
  }

  @AfterEach
  void close() {
    release.countDown();
    threads.close();
  }

  private void load(LoadLane to, String name) {
    to.execute(() -> hang(name), () -> givenUp.add(name));
  }

  private void hang(String name) {
    try {
      LoadLane.call(
          () -> {
            begun.add(name);
            release.await();
            return null;
          });
    } catch (InterruptedException e) {
      interrupted.add(name);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static String next(BlockingQueue<String> of) throws InterruptedException {
    return of.poll(20, TimeUnit.SECONDS);
  }

  private void begin(LoadLane in, int count) throws InterruptedException {
    for (int i = 0; i < count; i++) {
      load(in, "load");
      assertThat(next(begun)).isNotNull();
    }
  }

  /** Fills all places of a lane with work that hangs. */
  private void hangAll(LoadLane in) throws InterruptedException {
    for (int stuck = 0; stuck < LoadLane.MOST_STUCK; stuck += LoadLane.AT_ONCE) {
      begin(in, LoadLane.AT_ONCE);
      guard.passes();
    }
    begin(in, LoadLane.AT_ONCE);
  }

  @Test
  void workWaitsForAPlaceAndBeginsWhenOneIsStuck() throws Exception {
    begin(lane, LoadLane.AT_ONCE);
    load(lane, "next");
    assertThat(begun).isEmpty();
    assertThat(lane.stuck()).isZero();
    guard.passes();
    assertThat(next(begun)).isEqualTo("next");
    assertThat(lane.stuck()).isEqualTo(LoadLane.AT_ONCE);
  }

  @Test
  void workThatFindsNoPlaceIsGivenUpAndNeverRuns() throws Exception {
    begin(lane, LoadLane.AT_ONCE);
    load(lane, "waits");
    timer.passes();
    assertThat(givenUp).containsExactly("waits");
    assertThat(lane.givenUp()).isEqualTo(1);
    release.countDown();
    load(lane, "later");
    assertThat(next(begun)).isEqualTo("later");
    assertThat(begun).isEmpty();
  }

  @Test
  void atTheCeilingNothingBeginsUntilACallReturns() throws Exception {
    hangAll(lane);
    guard.passes();
    load(lane, "waits");
    assertThat(begun).isEmpty();
    assertThat(threads.count()).isEqualTo(LoadLane.MOST_STUCK + LoadLane.AT_ONCE);
    assertThat(lane.stuck()).isEqualTo(LoadLane.MOST_STUCK + LoadLane.AT_ONCE);
    release.countDown();
    assertThat(next(begun)).isEqualTo("waits");
    begin(lane, 1);
    assertThat(lane.givenUp()).isZero();
  }

  /**
   * Many clients end a call that is interrupted; the backend would else be lost until it returns.
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

  @Test
  void callsThatHangInOneLaneTakeNoThreadFromOthers() throws Exception {
    List<LoadLane> lanes = new ArrayList<>();
    for (int i = 0; i < LoadThreads.AT_ONCE / LoadLane.AT_ONCE; i++) {
      LoadLane other = threads.lane(TIME_OUT, timer, guard);
      begin(other, LoadLane.AT_ONCE);
      lanes.add(other);
    }
    load(lane, "mine");
    assertThat(begun).isEmpty();
    guard.passes();
    assertThat(next(begun)).isEqualTo("mine");
    assertThat(lanes).allMatch(other -> other.stuck() == LoadLane.AT_ONCE);
  }

  @Test
  void allLanesTogetherStayBelowTheCeilingOfThreads() throws Exception {
    int each = LoadLane.MOST_STUCK + LoadLane.AT_ONCE;
    int held = 0;
    for (; held + each <= LoadThreads.MOST - LoadThreads.AT_ONCE; held += each) {
      hangAll(threads.lane(TIME_OUT, timer, guard));
      guard.passes();
    }
    for (; held < LoadThreads.MOST; held++) {
      begin(threads.lane(TIME_OUT, timer, guard), 1);
      guard.passes();
    }
    assertThat(threads.count()).isEqualTo(LoadThreads.MOST);
    load(threads.lane(TIME_OUT, timer, guard), "more");
    guard.passes();
    assertThat(begun).isEmpty();
    assertThat(threads.count()).isEqualTo(LoadThreads.MOST);
    timer.passes();
    assertThat(givenUp).containsExactly("more");
    release.countDown();
    load(lane, "last");
    String name = next(begun);
    while (!"last".equals(name)) {
      assertThat(name).isNotNull();
      name = next(begun);
    }
    assertThat(threads.count()).isLessThanOrEqualTo(LoadThreads.MOST);
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
  void whatFollowsALoaderIsNotInterrupted() throws Exception {
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

  @Test
  void afterTheEndWorkIsGivenUpAtOnce() {
    timer.closed = true;
    load(lane, "late");
    assertThat(givenUp).containsExactly("late");
    timer.closed = false;
    threads.close();
    load(lane, "later");
    assertThat(givenUp).containsExactly("late", "later");
    assertThat(lane.givenUp()).isEqualTo(1);
  }

  @Test
  void anErrorGivesThePlaceBack() throws Exception {
    for (int i = 0; i < 2 * LoadLane.AT_ONCE; i++) {
      lane.execute(
          () -> {
            Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
            throw new AssertionError("of a key");
          });
    }
    begin(lane, LoadLane.AT_ONCE);
  }
}
