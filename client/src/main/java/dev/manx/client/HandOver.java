/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Timer;
import java.util.concurrent.Executor;

/**
 * The threads on which queries go on when a remote store has answered: a few network threads serve
 * all stores of a process, and a codec, a loader or a callback that blocks there would stop them
 * all.
 */
final class HandOver implements AutoCloseable {
  /* Loaders have threads apart from answers: hits of a backend do not wait for its loads. So have
   * invalidations and puts: a callback of a query may wait for one, and what they send may wait for a
   * codec. Failures wait for no codec. */
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
   * One backend's part of the threads.
   *
   * @param answers decodes what queries find, and completes them
   * @param loads calls the loader
   * @param done completes invalidations and puts
   * @param looks decodes what the application looks up without a query, and completes it
   * @param writes encodes what a remote store is sent after an earlier answer; refuses work once
   *     the cache is closed
   * @param failures completes queries whose load has failed
   */
  record Lanes(
      Lane answers, LoadLane loads, Lane done, Lane looks, Executor writes, Lane failures) {}

  /**
   * For a backend that is added.
   *
   * @param timer of time-outs, which may run code of the application
   * @param guard of what the cache itself waits for
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

  /** How many threads loaders may hold, and hold now. */
  LoadThreads loads() {
    return loads;
  }

  /** Its threads end when nothing waits for them. */
  @Override
  public void close() {
    answers.endWhenDone();
    loads.close();
    done.endWhenDone();
    writes.endWhenDone();
    failures.endWhenDone();
  }
}
