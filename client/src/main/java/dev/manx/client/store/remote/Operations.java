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
 * Sends one store's operations within its bounds: at most so many at once, none to an instance that
 * is out of reach, and each with a time-out. Tells {@link Reachability} how they ended. Any thread.
 */
final class Operations implements AutoCloseable {
  /** Of all remote stores; it starts its threads at first use. */
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

  /** One of them; {@code answered} is set before its last step. */
  private static final class Operation<T> extends CompletableFuture<T> {
    volatile boolean answered;
  }

  /** The future fails with whatever goes wrong, which is counted. */
  <T> CompletableFuture<T> send(Supplier<CompletionStage<? extends T>> operation) {
    return send(operation, (value, result) -> result.complete(value));
  }

  /**
   * The same with a last step, which the time-out bounds too.
   *
   * @param last completes the result from the instance's answer, perhaps later; it is complete
   *     already if it has timed out
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
      // Closed at this moment.
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
      // The instance did its part.
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

  /** Something else has failed. */
  void failed() {
    failures.increment();
  }

  /** What has failed or was given up so far. */
  long failures() {
    return failures.sum();
  }

  /** Whether what failed was refused, here or there, so that it will not happen later. */
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

  /** Later operations are given up. Idempotent. */
  @Override
  public void close() {
    closed = true;
    if (ended.compareAndSet(false, true)) {
      TIMER.release();
    }
  }
}
