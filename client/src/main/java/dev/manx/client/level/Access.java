/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.client.log.SparseLog;
import dev.manx.client.store.StoreException;
import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import dev.manx.policy.NanoClock;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * One cache's access to its second level: each operation has a time-out, at most {@code
 * maxOutstanding} are in progress, and an unreachable server is skipped. Logs rejections by a
 * server, at most once a minute. Thread-safe.
 */
public final class Access implements AutoCloseable {
  private final LevelLink link;
  private final LevelSettings settings;
  private final Timer timer;
  private final Semaphore permits;
  private final Places places;
  private final SparseLog log = new SparseLog(Access.class);
  // By name of a backend's epoch; while a backend is in use, or invalidations are being retried.
  private final Map<String, WeakReference<UnconfirmedInvalidations>> unconfirmed = new HashMap<>();
  private volatile boolean closed;

  /**
   * Begins to connect.
   *
   * @param timer runs no application code
   */
  public Access(SecondLevel level, Timer timer, NanoClock clock) {
    link = level.link();
    settings = level.settings();
    this.timer = timer;
    permits = new Semaphore(settings.maxOutstanding());
    places = new Places(clock, link::renew);
    link.open();
  }

  /** The settings that it was opened with. */
  public LevelSettings settings() {
    return settings;
  }

  Timer timer() {
    return timer;
  }

  /**
   * The unconfirmed invalidations of a backend: a backend that is removed and added again still has
   * them.
   *
   * @param epochName name of its epoch
   */
  UnconfirmedInvalidations unconfirmed(String epochName) {
    synchronized (unconfirmed) {
      unconfirmed.values().removeIf(of -> of.get() == null);
      WeakReference<UnconfirmedInvalidations> known = unconfirmed.get(epochName);
      UnconfirmedInvalidations same = known == null ? null : known.get();
      if (same == null) {
        same = new UnconfirmedInvalidations();
        unconfirmed.put(epochName, new WeakReference<>(same));
      }
      return same;
    }
  }

  /** The server that now holds a name. */
  String place(String name) {
    return link.place(name);
  }

  /** Sends an operation within the limits; the future fails with any error. Never throws. */
  <T> CompletableFuture<T> send(
      String place, Function<LevelLink, CompletionStage<? extends T>> operation) {
    if (closed) {
      return givenUp("closed");
    }
    if (!permits.tryAcquire()) {
      return givenUp("too many operations outstanding");
    }
    if (!places.mayAsk(place)) {
      permits.release();
      return givenUp("out of reach");
    }
    CompletableFuture<T> result = new CompletableFuture<>();
    try {
      operation
          .apply(link)
          .whenComplete(
              (value, failure) -> {
                permits.release();
                if (failure == null) {
                  result.complete(value);
                } else {
                  result.completeExceptionally(cause(failure));
                }
              });
    } catch (Throwable e) {
      permits.release();
      result.completeExceptionally(e);
    }
    Alarm alarm = alarm(result);
    return result.whenComplete(
        (value, failure) -> {
          alarm.cancel();
          if (failure == null) {
            places.answered(place);
          } else if (failure instanceof LevelLink.RefusedException) {
            places.answered(place);
            log.warn("the second level rejected an operation: " + failure.getMessage(), null);
          } else {
            places.failed(place);
          }
        });
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  private Alarm alarm(CompletableFuture<?> result) {
    try {
      return timer.after(
          settings.timeout().toNanos(),
          () -> result.completeExceptionally(new TimeoutException("no answer in time")));
    } catch (RejectedExecutionException e) {
      result.completeExceptionally(new StoreException("closed", e));
      return () -> {};
    }
  }

  private static <T> CompletableFuture<T> givenUp(String why) {
    return CompletableFuture.failedFuture(new StoreException(why));
  }

  @Override
  public void close() {
    closed = true;
    link.close();
  }
}
