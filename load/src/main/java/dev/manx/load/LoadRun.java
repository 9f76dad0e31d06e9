/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.Request;
import dev.manx.workload.RequestStream;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Sends a stream of requests, open-loop unless asked otherwise: one thread, the caller's, starts
 * each at its intended time or as soon after as it can, and never waits for an answer. Latency
 * counts from the intended start, so a stall of the target or of the dispatcher is seen by every
 * request it delayed (no coordinated omission). A run is used once.
 *
 * <p>In a closed loop so many requests are always under way, each sent when one has ended. That
 * shows what a target can bear, and hides its stalls: compare throughput, and latency at equal
 * throughput.
 */
public final class LoadRun {
  /**
   * The end waits this much longer than the time-out, so that the target's own time-out comes
   * first.
   */
  private static final long GRACE_NANOS = 500_000_000L;

  private static final long DRAIN_STEP_NANOS = 1_000_000L;
  private static final int BOOKING_STEPS = 1_000;

  private final RequestStream stream;
  private final Target target;
  private final LoadSettings settings;
  private final Pacer pacer;
  private final LoadProgress.Listener listener;
  private Semaphore clients;

  /** A run on the machine's clock. */
  public LoadRun(
      RequestStream stream, Target target, LoadSettings settings, LoadProgress.Listener listener) {
    this(stream, target, settings, listener, Pacer.SYSTEM);
  }

  LoadRun(
      RequestStream stream,
      Target target,
      LoadSettings settings,
      LoadProgress.Listener listener,
      Pacer pacer) {
    this.stream = stream;
    this.target = target;
    this.settings = settings;
    this.listener = listener;
    this.pacer = pacer;
  }

  /** Makes it a closed loop of so many clients without think time; 0 leaves it open. */
  public LoadRun closed(int requestsUnderWay) {
    clients = requestsUnderWay == 0 ? null : new Semaphore(requestsUnderWay);
    return this;
  }

  /**
   * Runs to the end of the window, then waits for stragglers.
   *
   * @throws InterruptedException when the thread is interrupted; requests under way are left alone
   */
  public LoadResult run() throws InterruptedException {
    Ledger ledger = new Ledger(settings, pacer);
    try (ProgressThread progress = ProgressThread.start(ledger, settings, listener)) {
      dispatch(ledger);
      drain(ledger);
      progress.finish();
    }
    return ledger.result();
  }

  private void dispatch(Ledger ledger) throws InterruptedException {
    long end = settings.warmUpNanos() + settings.measuredNanos();
    if (clients != null) {
      dispatchClosed(ledger, end);
      return;
    }
    for (Request request = stream.next(); request.intendedNanos() < end; request = stream.next()) {
      await(ledger.startNanos() + request.intendedNanos());
      Ledger.Flight flight = ledger.open(request);
      if (flight != null) {
        send(request, flight);
      }
    }
    await(ledger.startNanos() + end);
  }

  private void dispatchClosed(Ledger ledger, long end) throws InterruptedException {
    long left = end;
    while (clients.tryAcquire(Math.max(0, left), TimeUnit.NANOSECONDS)) {
      long now = pacer.nanoTime() - ledger.startNanos();
      left = end - now;
      if (left <= 0) {
        return;
      }
      Request request = stream.next().at(now);
      Ledger.Flight flight = ledger.open(request);
      if (flight == null) {
        clients.release();
      } else {
        send(request, flight);
      }
    }
  }

  private void send(Request request, Ledger.Flight flight) {
    try {
      target
          .send(request)
          .whenComplete(
              (outcome, failure) ->
                  end(flight, failure == null ? given(outcome) : Ledger.failed(failure)));
    } catch (RuntimeException e) {
      end(flight, Ledger.failed(e));
    }
  }

  private void end(Ledger.Flight flight, Outcome outcome) {
    flight.close(outcome);
    if (clients != null) {
      clients.release();
    }
  }

  private static Outcome given(Outcome outcome) {
    return outcome == null ? Outcome.error("no outcome") : outcome;
  }

  private void drain(Ledger ledger) throws InterruptedException {
    long deadline = pacer.nanoTime() + settings.requestTimeoutNanos() + GRACE_NANOS;
    while (ledger.outstanding() > 0 && pacer.nanoTime() < deadline) {
      await(Math.min(deadline, pacer.nanoTime() + DRAIN_STEP_NANOS));
    }
    ledger.closeUnanswered();
    // Answers that came at the same moment are still being booked on other threads.
    for (int step = 0; ledger.outstanding() > 0 && step < BOOKING_STEPS; step++) {
      await(pacer.nanoTime() + DRAIN_STEP_NANOS);
    }
    if (ledger.outstanding() > 0) {
      throw new IllegalStateException(ledger.outstanding() + " requests were never booked");
    }
  }

  private void await(long nanoTime) throws InterruptedException {
    pacer.await(nanoTime);
    if (Thread.interrupted()) {
      throw new InterruptedException("the run was interrupted");
    }
  }
}
