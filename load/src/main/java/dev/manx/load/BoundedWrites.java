/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;

/**
 * Runs a bounded number of writes concurrently, each with a bounded number of tries; the first
 * final failure ends all.
 */
final class BoundedWrites {
  private static final long FIRST_PAUSE_MILLIS = 50;
  private static final int MAX_DOUBLINGS = 6;

  private final int concurrency;
  private final int tries;
  private final IntFunction<CompletionStage<?>> write;
  private final Semaphore permits;
  private final AtomicInteger done = new AtomicInteger();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  BoundedWrites(int concurrency, int tries, IntFunction<CompletionStage<?>> write) {
    if (concurrency < 1 || tries < 1) {
      throw new IllegalArgumentException(
          "concurrency and tries are at least 1, not " + concurrency + " and " + tries);
    }
    this.concurrency = concurrency;
    this.tries = tries;
    this.write = write;
    permits = new Semaphore(concurrency);
  }

  /** Starts a write once a slot is free; throws if an earlier write failed finally. */
  void start(int id) throws InterruptedException {
    permits.acquire();
    check();
    attempt(id, 1);
  }

  /** Waits for all writes. */
  void finish() throws InterruptedException {
    permits.acquire(concurrency);
    permits.release(concurrency);
    check();
  }

  int done() {
    return done.get();
  }

  private void attempt(int id, int number) {
    CompletionStage<?> stage;
    try {
      stage = write.apply(id);
    } catch (RuntimeException e) {
      stage = CompletableFuture.failedFuture(e);
    }
    stage.whenComplete(
        (result, thrown) -> {
          if (thrown == null) {
            done.incrementAndGet();
            permits.release();
          } else if (number < tries && failure.get() == null) {
            long pause = FIRST_PAUSE_MILLIS << Math.min(MAX_DOUBLINGS, number - 1);
            CompletableFuture.delayedExecutor(pause, TimeUnit.MILLISECONDS)
                .execute(() -> attempt(id, number + 1));
          } else {
            failure.compareAndSet(null, thrown);
            permits.release();
          }
        });
  }

  private void check() {
    Throwable thrown = failure.get();
    if (thrown != null) {
      throw new IllegalStateException(
          "a write failed " + tries + " times; is every node up, with free disk space?", thrown);
    }
  }
}
