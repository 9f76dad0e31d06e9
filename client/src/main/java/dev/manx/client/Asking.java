/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client;

import dev.manx.client.timer.Timer;
import dev.manx.policy.NanoClock;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;

/**
 * Asks for the keys of a load: first the second level, if there is one, then the backend, if its
 * breaker lets it. Any thread.
 */
final class Asking<K, V> {
  /** Takes the end of a load. Of several ends the first counts, which the load itself knows. */
  interface Ends<K, V> {
    /** Its time is over. */
    void expired(Load<K, V> load);

    /** It has an answer, or a failure. */
    void ended(Load<K, V> load, Map<K, V> values, Throwable error);

    /**
     * The backend is to be tried in place of a load that was refused; {@link Asking#tryOut}
     * follows.
     */
    void trial(Load<K, V> refused, Breaker.Permit permit);
  }

  private final String backend;
  private final Loader<K, V> loader;
  private final long timeOutNanos;
  private final Owners<K, V> owners;
  private final Below<K, V> below;
  private final Breaker breaker;
  private final Timer timer;
  private final NanoClock clock;
  private final Ends<K, V> ends;

  Asking(
      String backend,
      Loader<K, V> loader,
      long timeOutNanos,
      Owners<K, V> owners,
      Below<K, V> below,
      Breaker breaker,
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

  /** Begins a load; whatever becomes of it, its end is reported. */
  void start(Load<K, V> load) {
    if (load.keys.isEmpty()) {
      ends.ended(load, Map.of(), null);
    } else if (load.cached && below.exists()) {
      lookBelow(load);
    } else {
      ask(load, false);
    }
  }

  private void lookBelow(Load<K, V> load) {
    try {
      arm(load);
      below.look(load, () -> lookedBelow(load));
    } catch (Throwable e) {
      ends.ended(load, null, e);
    }
  }

  private void lookedBelow(Load<K, V> load) {
    if (load.hasEnded()) {
      return;
    }
    try {
      owners.keepBelow(load, load.below.found());
      if (load.asked().isEmpty()) {
        ends.ended(load, Map.of(), null);
        return;
      }
    } catch (Throwable e) {
      ends.ended(load, null, e);
      return;
    }
    ask(load, true);
  }

  /* Before anything is asked: a loader that blocks its caller must not hold up who joins the load. */
  private void arm(Load<K, V> load) {
    load.endsBy(timer.after(timeOutNanos, () -> ends.expired(load)));
  }

  private void ask(Load<K, V> load, boolean armed) {
    if (breaker.isOff()) {
      if (!load.hasEnded()) {
        call(load, armed);
      }
      return;
    }
    Breaker.Permit permit = breaker.permit();
    // A query would wait for a backend that most likely still hangs, so it gets its fallback now,
    // and a load of the same keys that no query waits for is the trial. Uncached queries may be
    // writes, which must not run after they have failed; nothing waits for a refresh.
    boolean elsewhere = permit.trial && load.cached && !load.again;
    if (elsewhere || permit == Breaker.Permit.NO) {
      load.permit(Breaker.Permit.NO);
      ends.ended(load, null, new BreakerOpenException(backend));
      if (elsewhere) {
        tryElsewhere(load, permit);
      }
      return;
    }
    load.permit(permit);
    if (load.hasEnded()) {
      // It timed out before it could begin.
      release(load, false);
      return;
    }
    call(load, armed);
  }

  private void tryElsewhere(Load<K, V> refused, Breaker.Permit permit) {
    try {
      ends.trial(refused, permit);
    } catch (Throwable e) {
      // A key's hashCode failed. A permit that is not given back would keep the breaker open for
      // ever.
      breaker.ended(permit, false);
    }
  }

  /**
   * Begins a load that the breaker has let through already.
   *
   * @param threads on which the loader may block
   */
  void tryOut(Load<K, V> load, Breaker.Permit permit, Executor threads) {
    load.permit(permit);
    try {
      // Before: loaders that hang may hold all of the threads, and the permit must come back.
      arm(load);
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

  private void call(Load<K, V> load, boolean armed) {
    load.begins(clock.nanoTime());
    try {
      if (!armed) {
        arm(load);
      }
      CompletionStage<? extends Map<K, V>> stage =
          LoadContext.call(
              load.context,
              () ->
                  LoadLane.call(() -> loader.loadAll(Collections.unmodifiableList(load.asked()))));
      if (stage == null) {
        throw new IllegalStateException(
            "the loader of backend " + backend + " answered null instead of a stage");
      }
      load.stage = stage;
      stage.whenComplete((values, error) -> ends.ended(load, values, error));
    } catch (Throwable e) {
      ends.ended(load, null, e);
    }
  }

  /** Tells the breaker of a load's end, if it gave a permit that was not given back yet. */
  void release(Load<K, V> load, boolean success) {
    Breaker.Permit permit = load.takePermit();
    if (permit != null) {
      breaker.ended(permit, success);
    }
  }
}
