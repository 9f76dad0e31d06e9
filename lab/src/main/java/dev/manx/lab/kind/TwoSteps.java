/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.experiment.RunException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** An event of two steps: one begins it and one ends it. Any thread. */
public final class TwoSteps implements TimedEvent.Running {
  private static final long AWAIT_SECONDS = 300;

  /** A beginning or an end; may block. */
  @FunctionalInterface
  public interface Step {
    void run() throws IOException;
  }

  private final String words;
  private final Step first;
  private final Step last;
  private final CompletableFuture<TimedEvent.Span> over = new CompletableFuture<>();
  private long beganNanos;
  private boolean begun;
  private boolean late;
  private boolean ended;
  private boolean closed;

  /**
   * Creates the event without running a step.
   *
   * @param words the event, for errors
   */
  public TwoSteps(String words, Step first, Step last) {
    this.words = words;
    this.first = first;
    this.last = last;
  }

  @Override
  public synchronized void begin() {
    if (closed) {
      return;
    }
    begun = true;
    beganNanos = System.nanoTime();
    try {
      first.run();
    } catch (IOException | RuntimeException e) {
      over.completeExceptionally(e);
    }
    if (late) {
      undo();
    }
  }

  /** The end may run here, on its own thread, before the beginning, which then ends at once. */
  @Override
  public synchronized void end() {
    if (begun) {
      undo();
    } else {
      late = true;
    }
  }

  private void undo() {
    if (ended) {
      return;
    }
    ended = true;
    try {
      last.run();
      over.complete(new TimedEvent.Span(beganNanos, System.nanoTime()));
    } catch (IOException | RuntimeException e) {
      over.completeExceptionally(e);
    }
  }

  @Override
  public TimedEvent.Span span() {
    try {
      return over.get(AWAIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new RunException(words + ": " + e.getCause().getMessage(), e.getCause());
    } catch (TimeoutException e) {
      throw new RunException(words + ": not over after " + AWAIT_SECONDS + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new RunException("interrupted while " + words, e);
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (begun) {
      undo();
    }
  }
}
