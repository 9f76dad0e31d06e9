/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Timer;
import dev.manx.policy.NanoClock;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Fetches the keys of a load: first from the second level, if configured, then from the backend, if
 * its breaker permits. Thread-safe.
 */
final class Asking<K, V> {
  /** Receives the end of a load. Only the first end counts; the load itself tracks this. */
  interface Ends<K, V> {
    /** The load has timed out. */
    void expired(LoaderCall<K, V> load);

    /** The load has an answer or a failure. */
    void ended(LoaderCall<K, V> load, Map<K, V> values, Throwable error);

    /**
     * The backend is to be tried with a trial load in place of a rejected load; {@link
     * Asking#tryOut} follows.
     */
    void trial(LoaderCall<K, V> refused, BackendBreaker.Permit permit);
  }

  private final String backend;
  private final Loader<K, V> loader;
  private final long timeOutNanos;
  private final Owners<K, V> owners;
  private final BackendLevel<K, V> below;
  private final BackendBreaker breaker;
  private final Timer timer;
  private final NanoClock clock;
  private final Ends<K, V> ends;

  Asking(
      String backend,
      Loader<K, V> loader,
      long timeOutNanos,
      Owners<K, V> owners,
      BackendLevel<K, V> below,
      BackendBreaker breaker,
      Timer timer,
      NanoClock clock,
      Ends<K, V> ends) {
    this.backend = backend;
    this.loader = loader;
    this.timeOutNanos = timeOutNanos;
    this.owners = owners;
    this.below = below;
    this.breaker = breaker;
    this.timer = timer;
    this.clock = clock;
    this.ends = ends;
  }

  /** Begins a load; its end is always reported. */
  void start(LoaderCall<K, V> load) {
    if (load.keys.isEmpty()) {
      ends.ended(load, Map.of(), null);
    } else if (load.hasEnded()) {
      owners.noLateAnswer(load);
    } else if (load.cached && below.exists()) {
      lookBelow(load);
    } else {
      ask(load);
    }
  }

  private void lookBelow(LoaderCall<K, V> load) {
    try {
      arm(load, below.longestLookNanos() + timeOutNanos);
      below.look(load, () -> lookedBelow(load), () -> givenUp(load));
    } catch (Throwable e) {
      ends.ended(load, null, e);
    }
  }

  private void givenUp(LoaderCall<K, V> load) {
    ends.expired(load);
    owners.noLateAnswer(load);
  }

  private void lookedBelow(LoaderCall<K, V> load) {
    if (load.hasEnded()) {
      owners.noLateAnswer(load);
      return;
    }
    try {
      owners.keepBelow(load, load.below.found());
      if (load.asked().isEmpty()) {
        ends.ended(load, Map.of(), null);
      } else {
        ask(load);
      }
    } catch (Throwable e) {
      ends.ended(load, null, e);
    }
  }

  /**
   * Bounds the time of a load that is about to begin, in case the start takes long. The start
   * restarts the load's time.
   */
  void bound(LoaderCall<K, V> load) {
    try {
      arm(load, below.longestLookNanos() + timeOutNanos);
    } catch (RejectedExecutionException | OutOfMemoryError e) {
      // The cache is closed, or no thread can be created. Starting the load fails too.
    }
  }

  /* Called before any request is sent: a loader that blocks its caller must not delay the
   * queries that join the load. */
  private void arm(LoaderCall<K, V> load, long nanos) {
    load.endsBy(timer.after(nanos, () -> ends.expired(load)));
  }

  private void ask(LoaderCall<K, V> load) {
    if (breaker.isOff()) {
      if (load.hasEnded()) {
        owners.noLateAnswer(load);
      } else {
        call(load, false);
      }
      return;
    }
    BackendBreaker.Permit permit = breaker.permit();
    // A query would wait for a backend that probably still hangs. The query gets its fallback now,
    // and a load of the same keys without waiting queries is the trial. Uncached queries may be
    // writes, which must not run after they have failed; no query waits for a refresh.
    boolean elsewhere = permit.trial && load.cached && !load.again;
    if (elsewhere || permit == BackendBreaker.Permit.NO) {
      load.permit(BackendBreaker.Permit.NO);
      if (elsewhere) {
        // Before the query ends: its callbacks may block.
        tryElsewhere(load, permit);
      }
      ends.ended(load, null, new BreakerOpenException(backend));
      return;
    }
    load.permit(permit);
    if (load.hasEnded()) {
      // The load timed out before it began.
      release(load);
      owners.noLateAnswer(load);
      return;
    }
    call(load, false);
  }

  private void tryElsewhere(LoaderCall<K, V> refused, BackendBreaker.Permit permit) {
    try {
      ends.trial(refused, permit);
    } catch (Throwable e) {
      // A key's hashCode failed. A permit that is not returned would keep the breaker open for
      // ever.
      breaker.ended(permit, false);
    }
  }

  /**
   * Begins a load that the breaker has already permitted.
   *
   * @param threads executor on which the loader may block
   */
  void tryOut(LoaderCall<K, V> load, BackendBreaker.Permit permit, Executor threads) {
    load.permit(permit);
    try {
      // Armed first: hanging loaders may occupy all threads, and the permit must be returned.
      arm(load, timeOutNanos);
      threads.execute(
          () -> {
            if (!load.hasEnded()) {
              call(load, true);
            }
          });
    } catch (Throwable e) {
      ends.ended(load, null, e);
    }
  }

  /**
   * Calls the loader.
   *
   * @param armed whether its time-out already runs
   */
  private void call(LoaderCall<K, V> load, boolean armed) {
    try {
      load.begins(clock.nanoTime());
      if (!armed) {
        // The time restarts after a look-up: a slow second level must not make a healthy backend
        // time out.
        arm(load, timeOutNanos);
      }
      CompletionStage<? extends Map<K, V>> stage =
          LoadContext.call(
              load.context,
              () ->
                  LoadLane.call(() -> loader.loadAll(Collections.unmodifiableList(load.asked()))));
      if (stage == null) {
        throw new IllegalStateException(
            "the loader of backend " + backend + " returned null instead of a stage");
      }
      load.stage = stage;
      if (load.hasEnded()) {
        discard(load);
      }
      stage.whenComplete((values, error) -> ends.ended(load, values, error));
    } catch (RejectedExecutionException e) {
      load.markRejected();
      ends.ended(load, null, e);
    } catch (Throwable e) {
      ends.ended(load, null, e);
    }
  }

  /** Returns the permit of a load that has timed out, and takes the load from its queue. */
  void timedOut(LoaderCall<K, V> load) {
    try {
      release(load);
    } finally {
      // Only now: the load ends with an exception that is not the loader's.
      discard(load);
    }
  }

  /** Takes a load that has timed out from the queue in which it waits for a thread, if any. */
  private void discard(LoaderCall<K, V> load) {
    if (load.stage instanceof QueuedLoad<?, ?> queued) {
      queued.discard();
    }
  }

  /** Reports to the breaker that a load has timed out, if it holds a permit. */
  private void release(LoaderCall<K, V> load) {
    BackendBreaker.Permit permit = load.takePermit();
    if (permit != null) {
      breaker.ended(permit, false);
    }
  }
}
