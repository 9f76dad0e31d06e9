/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * The threads of one kind that a backend may occupy at once. A query completes on the thread that
 * decoded its values.
 */
final class Lane implements Executor {
  private static final ThreadLocal<Lane> DECODES_HERE = new ThreadLocal<>();

  private final Executor threads;
  private final int mostDecodes;
  private final AtomicInteger decodes = new AtomicInteger();

  /**
   * @param threads the backend's part of a pool, which rejects work once it is closed
   * @param mostDecodes maximum number of remote answers being decoded or waiting for it
   */
  Lane(Executor threads, int mostDecodes) {
    this.threads = threads;
    this.mostDecodes = mostDecodes;
  }

  /** Never rejects work. */
  @Override
  public void execute(Runnable work) {
    try {
      threads.execute(work);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The cache is closed, or no thread can be created. Running on the wrong thread is better
      // than a query that never ends.
      work.run();
    }
  }

  /**
   * Returns an executor for codecs; rejects work if too much waits, or once the cache is closed.
   */
  Executor codecs() {
    return this::decode;
  }

  private void decode(Runnable work) {
    if (decodes.incrementAndGet() > mostDecodes) {
      decodes.decrementAndGet();
      throw new RejectedExecutionException(mostDecodes + " answers already wait to be decoded");
    }
    boolean accepted = false;
    try {
      threads.execute(() -> decodeHere(work));
      accepted = true;
    } finally {
      if (!accepted) {
        decodes.decrementAndGet();
      }
    }
  }

  /** Runs on the caller's thread if that has just decoded in this lane, else in the other lane. */
  Executor hereOr(Lane other) {
    return work -> {
      if (DECODES_HERE.get() == this) {
        work.run();
      } else {
        other.execute(work);
      }
    };
  }

  private void decodeHere(Runnable work) {
    DECODES_HERE.set(this);
    try {
      work.run();
    } finally {
      DECODES_HERE.remove();
      decodes.decrementAndGet();
    }
  }

  /** Continues at once if the stage is complete, else in this lane. */
  <T> void then(CompletionStage<T> stage, BiConsumer<? super T, ? super Throwable> next) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    CompletableFuture<?> unused =
        future.isDone() ? future.whenComplete(next) : future.whenCompleteAsync(next, this);
  }

  /** Returns a stage for the application, whose callbacks run in this lane. */
  <T> CompletionStage<T> handOver(CompletionStage<T> stage) {
    return handOver(stage, this);
  }

  /** Returns a stage for the application, whose callbacks run on these threads. */
  static <T> CompletionStage<T> handOver(CompletionStage<T> stage, Executor threads) {
    CompletableFuture<T> future = stage.toCompletableFuture();
    return future.isDone() ? future : future.whenCompleteAsync((value, error) -> {}, threads);
  }
}
