/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.store.remote;

import dev.manx.client.store.StoreException;
import dev.manx.client.timer.Alarm;
import dev.manx.client.timer.Timer;
import dev.manx.client.timer.TimerThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * Sends one store's operations within its limits: a maximum number at once, none to an unreachable
 * instance, and each with a time-out. Reports their results to {@link Reachability}. Thread-safe.
 */
final class Operations implements AutoCloseable {
  /** The timer of all remote stores; it starts its threads at first use. */
  private static final Shared<TimerThreads> TIMER =
      new Shared<>(() -> new TimerThreads("manx-store-timer"), TimerThreads::close);

  private final long timeoutNanos;
  private final Semaphore permits;
  private final Reachability reachability;
  private final LongAdder failures = new LongAdder();
  private final Timer timer = TIMER.acquire();
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile boolean closed;

  Operations(RemoteSettings settings, Reachability reachability) {
    this.timeoutNanos = settings.timeout().toNanos();
    this.permits = new Semaphore(settings.maxOutstanding());
    this.reachability = reachability;
  }

  /** An operation; {@code answered} is set before its last step. */
  private static final class Operation<T> extends CompletableFuture<T> {
    volatile boolean answered;
  }

  /** Sends an operation; the future fails with any error, which is counted. */
  <T> CompletableFuture<T> send(Supplier<CompletionStage<? extends T>> operation) {
    return send(operation, (value, result) -> result.complete(value));
  }

  /**
   * Sends an operation with a last step, which the time-out also covers.
   *
   * @param last completes the result from the instance's response, perhaps later; the result is
   *     already complete after a time-out
   */
  <T, R> CompletableFuture<R> send(
      Supplier<CompletionStage<? extends T>> operation,
      BiConsumer<? super T, ? super CompletableFuture<R>> last) {
    if (closed || reachability.lost()) {
      return givenUp("out of reach");
    }
    if (!permits.tryAcquire()) {
      return givenUp("too many operations outstanding");
    }
    Operation<R> result = new Operation<>();
    try {
      operation
          .get()
          .whenComplete(
              (value, failure) -> {
                permits.release();
                if (failure == null) {
                  answered(result, value, last);
                } else {
                  result.completeExceptionally(failure);
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
          note(failure, result.answered);
        });
  }

  private <T, R> void answered(
      Operation<R> result, T value, BiConsumer<? super T, ? super CompletableFuture<R>> last) {
    if (result.isDone()) {
      return;
    }
    result.answered = true;
    reachability.answered();
    try {
      last.accept(value, result);
    } catch (Throwable e) {
      result.completeExceptionally(e);
    }
  }

  private Alarm alarm(CompletableFuture<?> result) {
    try {
      return timer.after(
          timeoutNanos,
          () -> result.completeExceptionally(new TimeoutException("no answer in time")));
    } catch (RejectedExecutionException e) {
      // Closed concurrently.
      result.completeExceptionally(new StoreException("closed", e));
      return () -> {};
    }
  }

  private void note(Throwable failure, boolean answered) {
    if (failure == null) {
      return;
    }
    failures.increment();
    if (answered) {
      // The instance has answered.
      return;
    }
    if (cause(failure) instanceof Link.RefusedException) {
      reachability.answered();
    } else {
      reachability.failed();
    }
  }

  private <T> CompletableFuture<T> givenUp(String why) {
    failures.increment();
    return CompletableFuture.failedFuture(new StoreException(why));
  }

  /** Counts another failure. */
  void failed() {
    failures.increment();
  }

  /** Number of operations that failed or were given up. */
  long failures() {
    return failures.sum();
  }

  /**
   * Whether the operation was rejected, here or by the server, so that it cannot take effect later.
   */
  static boolean isKnown(Throwable failure) {
    Throwable cause = cause(failure);
    return cause instanceof Link.RefusedException || cause instanceof StoreException;
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException ? failure.getCause() : failure;
  }

  boolean isClosed() {
    return closed;
  }

  /** Later operations are rejected. Idempotent. */
  @Override
  public void close() {
    closed = true;
    if (ended.compareAndSet(false, true)) {
      TIMER.release();
    }
  }
}
