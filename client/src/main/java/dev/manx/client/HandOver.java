/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * The threads on which queries go on when a remote store has answered: a few network threads serve
 * all stores of a process, and a loader or a callback that blocks there would stop them all.
 */
final class HandOver implements AutoCloseable {
  /* Loaders have threads apart from answers: hits of a backend do not wait for its loads. So have
   * invalidations and puts: a callback of a query may wait for one, and codecs, which all of them wait
   * for. What waits for a thread is bounded by the backends' max-pending. */
  private static final int ANSWER_THREADS = 16;
  private static final int LOAD_THREADS = 32;
  private static final int DONE_THREADS = 16;
  private static final int CODEC_THREADS = 16;
  private static final int THREADS_PER_BACKEND = 4;

  private final LoaderPool answers = LoaderPool.ofThreads(ANSWER_THREADS, "manx-answer");
  private final LoaderPool loads = LoaderPool.ofThreads(LOAD_THREADS, "manx-load");
  private final LoaderPool done = LoaderPool.ofThreads(DONE_THREADS, "manx-done");
  private final LoaderPool codecs = LoaderPool.ofThreads(CODEC_THREADS, "manx-codec");

  /**
   * One backend's part of the threads.
   *
   * @param answers completes queries
   * @param loads calls the loader
   * @param done completes what is not a query
   * @param codecs runs its codec when a server has answered, and nothing that blocks
   */
  record Lanes(Executor answers, Executor loads, Executor done, Executor codecs) {
    /** Goes on at once if the stage is complete, else on a thread for answers. */
    <T> void then(CompletionStage<T> stage, BiConsumer<? super T, ? super Throwable> next) {
      CompletableFuture<T> future = stage.toCompletableFuture();
      CompletableFuture<?> unused =
          future.isDone() ? future.whenComplete(next) : future.whenCompleteAsync(next, answers);
    }

    /** The stage for the application, whose callbacks run on a thread of their own. */
    <T> CompletionStage<T> handOver(CompletionStage<T> stage) {
      CompletableFuture<T> future = stage.toCompletableFuture();
      return future.isDone() ? future : future.whenCompleteAsync((value, error) -> {}, done);
    }
  }

  /** For a backend that is added. */
  Lanes lanes() {
    return new Lanes(lane(answers), lane(loads), lane(done), lane(codecs));
  }

  private static Executor lane(LoaderPool pool) {
    Executor lane = pool.lane(THREADS_PER_BACKEND, Integer.MAX_VALUE);
    return work -> {
      try {
        lane.execute(work);
      } catch (RejectedExecutionException e) {
        // The cache is closed; the wrong thread is better than a query that never ends.
        work.run();
      }
    };
  }

  /** Its threads end when nothing waits for them. */
  @Override
  public void close() {
    answers.endWhenDone();
    loads.endWhenDone();
    done.endWhenDone();
    codecs.endWhenDone();
  }
}
