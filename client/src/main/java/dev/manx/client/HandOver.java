/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Timer;
import java.util.concurrent.Executor;

/**
 * The threads on which queries continue after a remote store has answered. A few network threads
 * serve all stores of a process; a codec, a loader or a callback that blocked one would stop all
 * stores.
 */
final class HandOver implements AutoCloseable {
  /*
   * Loaders and answers have separate threads, so that hits of a backend do not wait for its loads.
   * Invalidations and puts have their own too: a query's callback may wait for one, and sending one
   * may wait for a codec. Failures do not wait for a codec.
   */
  private static final int ANSWER_THREADS = 16;
  private static final int DONE_THREADS = 16;
  private static final int WRITE_THREADS = 16;
  private static final int FAILURE_THREADS = 16;
  private static final int THREADS_PER_BACKEND = 4;

  private final LoaderPool answers = LoaderPool.ofThreads(ANSWER_THREADS, "manx-answer");
  private final LoadThreads loads = new LoadThreads();
  private final LoaderPool done = LoaderPool.ofThreads(DONE_THREADS, "manx-done");
  private final LoaderPool writes = LoaderPool.ofThreads(WRITE_THREADS, "manx-write");
  private final LoaderPool failures = LoaderPool.ofThreads(FAILURE_THREADS, "manx-failure");

  /**
   * The threads of one backend.
   *
   * @param answers decodes the values that queries find, and completes the queries
   * @param loads calls the loader
   * @param done completes invalidations and puts
   * @param looks decodes values looked up without a query, and completes the look-ups
   * @param writes encodes values sent to a remote store after an earlier answer; rejects work once
   *     the cache is closed
   * @param failures completes queries whose load has failed
   */
  record Lanes(
      Lane answers, LoadLane loads, Lane done, Lane looks, Executor writes, Lane failures) {}

  /**
   * Creates the threads of an added backend.
   *
   * @param timer of time-outs, which may run application code
   * @param guard of the cache's internal waits
   */
  Lanes lanes(BackendSettings settings, Timer timer, Timer guard) {
    int mostWaiting = settings.maxPending();
    return new Lanes(
        new Lane(lane(answers), mostWaiting),
        loads.lane(settings.timeOut().toNanos(), timer, guard),
        new Lane(lane(done), mostWaiting),
        new Lane(lane(done), mostWaiting),
        lane(writes),
        new Lane(lane(failures), mostWaiting));
  }

  private static Executor lane(LoaderPool pool) {
    return pool.lane(THREADS_PER_BACKEND, Integer.MAX_VALUE);
  }

  /** The threads for loaders. */
  LoadThreads loads() {
    return loads;
  }

  /** Closes the pools; idle threads end. */
  @Override
  public void close() {
    answers.endWhenDone();
    loads.close();
    done.endWhenDone();
    writes.endWhenDone();
    failures.endWhenDone();
  }
}
