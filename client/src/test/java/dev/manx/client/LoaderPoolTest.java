/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lanes that share the threads of a pool. */
@Timeout(60)
class LoaderPoolTest {
  private final Queue<String> begun = new ConcurrentLinkedQueue<>();

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Otherwise a lane that never runs out of work would keep the threads from others for ever. */
  @Test
  void takeTurnsWhenThreadsAreScarce() throws Exception {
    try (LoaderPool pool = LoaderPool.ofThreads(1)) {
      Executor busy = pool.lane(1, 10);
      Executor other = pool.lane(1, 10);
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(3);
      busy.execute(() -> await(asked));
      for (String work : List.of("busy 1", "busy 2")) {
        busy.execute(() -> ran(work, done));
      }
      other.execute(() -> ran("other", done));
      asked.countDown();
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(begun).containsExactly("other", "busy 1", "busy 2");
    }
  }

  /** Starts a thread for each task, as an executor of virtual threads does. */
  private static final class ThreadPerTask extends AbstractExecutorService {
    private volatile boolean ended;

    @Override
    public void execute(Runnable task) {
      new Thread(task).start();
    }

    @Override
    public void shutdown() {
      ended = true;
    }

    @Override
    public List<Runnable> shutdownNow() {
      shutdown();
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return ended;
    }

    @Override
    public boolean isTerminated() {
      return ended;
    }

    @Override
    public boolean awaitTermination(long time, TimeUnit unit) {
      return ended;
    }
  }

  /** Values of a thread, and what a profiler shows, are those of one load. */
  @Test
  void runEachLoadOnAThreadOfItsOwnIfThreadsAreVirtual() throws Exception {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    try (LoaderPool pool = new LoaderPool(new ThreadPerTask())) {
      Executor lane = pool.lane(1, 10);
      CountDownLatch asked = new CountDownLatch(1);
      CountDownLatch done = new CountDownLatch(4);
      lane.execute(() -> await(asked));
      for (int i = 0; i < 4; i++) {
        lane.execute(
            () -> {
              threads.add(Thread.currentThread());
              ran("load", done);
            });
      }
      asked.countDown();
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }
    assertThat(threads).hasSize(4);
  }

  private void ran(String work, CountDownLatch done) {
    begun.add(work);
    done.countDown();
  }

  /** A third party's store may submit work that throws. */
  @Test
  void goOnAfterWorkThatThrows() throws Exception {
    try (LoaderPool pool = LoaderPool.ofThreads(1)) {
      Executor lane = pool.lane(1, 10);
      CountDownLatch done = new CountDownLatch(1);
      for (int i = 0; i < 2; i++) {
        lane.execute(
            () -> {
              Thread.currentThread().setUncaughtExceptionHandler((thread, error) -> {});
              throw new AssertionError("of a store");
            });
      }
      lane.execute(() -> ran("next", done));
      assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    }
  }

  /** The message of a thread pool would name objects of the library. */
  @Test
  void sayWhyTheyRejectALoad() {
    LoaderPool pool = LoaderPool.ofThreads(1);
    Executor lane = pool.lane(1, 1);
    pool.close();
    assertThatThrownBy(() -> lane.execute(() -> {}))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("the pool is closed");
    CountDownLatch release = new CountDownLatch(1);
    Loader<Integer, String> loader =
        Loader.onThreads(
            1,
            1,
            keys -> {
              await(release);
              return Map.of();
            });
    var runs = loader.loadAll(List.of(1));
    var waits = loader.loadAll(List.of(2));
    assertThatThrownBy(() -> loader.loadAll(List.of(3)))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("the queue of this loader is full (1 waiting)");
    release.countDown();
    assertThat(runs.toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
    assertThat(waits.toCompletableFuture()).succeedsWithin(Duration.ofSeconds(20));
    assertThatThrownBy(() -> Loader.onThreads(0, 1, keys -> Map.of()))
        .hasMessage("0 threads, 1 waiting; allowed: at least 1 and 1");
  }

  @Test
  void loseNoWorkWhileThePoolEnds() throws Exception {
    ExecutorService submitters = Executors.newFixedThreadPool(4);
    try {
      for (int round = 0; round < 500; round++) {
        LoaderPool pool = LoaderPool.ofThreads(2);
        Executor lane = pool.lane(2, 1_000);
        CountDownLatch done = new CountDownLatch(4 * 100);
        for (int i = 0; i < 4; i++) {
          submitters.execute(() -> submit(lane, 100, done));
        }
        pool.endWhenDone();
        assertThat(done.await(20, TimeUnit.SECONDS)).as("%d left", done.getCount()).isTrue();
      }
    } finally {
      submitters.shutdownNow();
    }
  }

  /** Work is done when it has run or was rejected. */
  private static void submit(Executor lane, int times, CountDownLatch done) {
    for (int i = 0; i < times; i++) {
      try {
        lane.execute(done::countDown);
      } catch (RejectedExecutionException e) {
        done.countDown();
      }
    }
  }

  @Test
  void failWaitingLoadsWhenThePoolIsClosed() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    CompletableFuture<?> waiting;
    CompletableFuture<?> ofOther;
    try (LoaderPool pool = LoaderPool.ofThreads(1)) {
      Loader.Blocking<Integer, String> hangs =
          keys -> {
            begun.add("load " + keys.get(0));
            runs.countDown();
            new CountDownLatch(1).await();
            return Map.of();
          };
      Loader<Integer, String> lane = pool.loader(1, 10, hangs);
      lane.loadAll(List.of(1));
      waiting = lane.loadAll(List.of(2)).toCompletableFuture();
      ofOther = pool.loader(1, 10, hangs).loadAll(List.of(3)).toCompletableFuture();
      await(runs);
    }
    for (CompletableFuture<?> load : List.of(waiting, ofOther)) {
      assertThatThrownBy(() -> load.get(20, TimeUnit.SECONDS))
          .hasCauseInstanceOf(RejectedExecutionException.class);
    }
    assertThat(begun).containsExactly("load 1");
  }

  /** A load that runs for ever would otherwise keep them, and later ones, from failing. */
  @Test
  void failWaitingAndLaterLoadsWhenARunningOneIgnoresTheInterrupt() throws Exception {
    CountDownLatch runs = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    LoaderPool pool = LoaderPool.ofThreads(1);
    Loader<Integer, String> lane =
        pool.loader(
            1,
            10,
            keys -> {
              runs.countDown();
              while (release.getCount() > 0) {
                await(release);
                Thread.interrupted();
              }
              return Map.of(1, "one");
            });
    CompletableFuture<?> running = lane.loadAll(List.of(1)).toCompletableFuture();
    CompletableFuture<?> waiting = lane.loadAll(List.of(2)).toCompletableFuture();
    await(runs);
    pool.close();
    assertThat(waiting).isCompletedExceptionally();
    assertThatThrownBy(waiting::join)
        .cause()
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("the pool is closed");
    assertThatThrownBy(() -> lane.loadAll(List.of(3)))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessage("the pool is closed");
    release.countDown();
    assertThat(running.get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(1, "one"));
  }

  /** As code does that gives up on an {@code InterruptedException}. */
  @Test
  void goOnAfterALoadThatLeavesAnInterrupt() throws Exception {
    try (LoaderPool pool = LoaderPool.ofThreads(1)) {
      CountDownLatch asked = new CountDownLatch(1);
      Loader<Integer, String> lane =
          pool.loader(
              1,
              10,
              keys -> {
                asked.await();
                Thread.currentThread().interrupt();
                return Map.of(1, "one");
              });
      lane.loadAll(List.of(1));
      CompletableFuture<?> next = lane.loadAll(List.of(1)).toCompletableFuture();
      asked.countDown();
      assertThat(next.get(20, TimeUnit.SECONDS)).isEqualTo(Map.of(1, "one"));
    }
  }

  @Test
  void finishTheirWorkAfterTheEnd() throws Exception {
    LoaderPool pool = LoaderPool.ofThreads(1);
    Executor busy = pool.lane(1, 10);
    Executor other = pool.lane(1, 10);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch done = new CountDownLatch(3);
    busy.execute(() -> await(asked));
    for (String work : List.of("busy 1", "busy 2")) {
      busy.execute(() -> ran(work, done));
    }
    other.execute(() -> ran("other", done));
    pool.endWhenDone();
    asked.countDown();
    assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
    assertThat(begun).containsExactlyInAnyOrder("other", "busy 1", "busy 2");
  }
}
