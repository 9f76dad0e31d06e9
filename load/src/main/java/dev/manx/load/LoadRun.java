/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.PlannedRequest;
import dev.manx.workload.Requests;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Sends a stream of requests, open-loop by default: the caller's thread starts each at its intended
 * time or as soon as possible after it, and never waits for an answer. Latency counts from the
 * intended start, so a stall of the target or of the dispatcher affects every request it delayed
 * (no coordinated omission). A run is used once.
 *
 * <p>In a closed loop the number of requests in flight is constant, and each is intended to start
 * when another has ended. This measures a target's capacity and hides its stalls: compare
 * throughput.
 */
public final class LoadRun {
  /** Wait beyond the time-out at the end of the run, so that the target's time-out comes first. */
  private static final long GRACE_NANOS = 500_000_000L;

  private static final long DRAIN_STEP_NANOS = 1_000_000L;
  private static final int BOOKING_STEPS = 1_000;

  private final Requests stream;
  private final Target target;
  private final LoadSettings settings;
  private final Pacer pacer;
  private final LoadProgress.Listener listener;

  /** Times since the start at which waiting clients became free; null for an open loop. */
  private BlockingQueue<Long> freeClients;

  private RequestEnds ends = RequestEnds.IGNORED;
  private long mostLateNanos = Long.MAX_VALUE;

  private long startNanos;

  /** A run on the machine's clock. */
  public LoadRun(
      Requests stream, Target target, LoadSettings settings, LoadProgress.Listener listener) {
    this(stream, target, settings, listener, Pacer.SYSTEM);
  }

  LoadRun(
      Requests stream,
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

  /**
   * Makes it a closed loop of the given number of clients without think time; 0 leaves it open.
   *
   * @throws IllegalArgumentException if the settings allow fewer requests at a time
   */
  public LoadRun closed(int requestsUnderWay) {
    if (requestsUnderWay > settings.maxOutstanding()) {
      throw new IllegalArgumentException(
          requestsUnderWay
              + " clients have more requests under way than the "
              + settings.maxOutstanding()
              + " allowed");
    }
    freeClients = requestsUnderWay == 0 ? null : new LinkedBlockingQueue<>();
    for (int client = 0; client < requestsUnderWay; client++) {
      freeClients.add(0L);
    }
    return this;
  }

  /** Sets a listener for ended requests. */
  public LoadRun ends(RequestEnds listener) {
    ends = listener;
    return this;
  }

  /**
   * Sets the lateness beyond which a request of an open loop is counted but not sent: a pause of
   * the dispatcher then causes no burst at the target. Without it each request is sent, however
   * late.
   */
  public LoadRun atMostLate(long nanos) {
    mostLateNanos = nanos;
    return this;
  }

  /**
   * Runs to the end of the window, then waits for stragglers.
   *
   * @throws InterruptedException if the thread is interrupted; requests in flight are left alone
   */
  public LoadResult run() throws InterruptedException {
    Ledger ledger = new Ledger(settings, pacer, ends);
    try (ProgressThread progress = ProgressThread.start(ledger, settings, listener)) {
      dispatch(ledger);
      drain(ledger);
      progress.finish();
    }
    return ledger.result();
  }

  private void dispatch(Ledger ledger) throws InterruptedException {
    long end = settings.warmUpNanos() + settings.measuredNanos();
    if (freeClients != null) {
      dispatchClosed(ledger, end);
      return;
    }
    for (PlannedRequest request = stream.next();
        request.intendedNanos() < end;
        request = stream.next()) {
      await(ledger.startNanos() + request.intendedNanos());
      Ledger.Flight flight = ledger.open(request, mostLateNanos);
      if (flight != null) {
        send(request, flight);
      }
    }
    await(ledger.startNanos() + end);
  }

  /** A request is intended to start when its client has become free, not when it is sent. */
  private void dispatchClosed(Ledger ledger, long end) throws InterruptedException {
    startNanos = ledger.startNanos();
    while (true) {
      long left = end - (pacer.nanoTime() - startNanos);
      Long free = freeClients.poll(Math.max(0, left), TimeUnit.NANOSECONDS);
      if (free == null || free >= end) {
        return;
      }
      PlannedRequest request = stream.next().at(free);
      Ledger.Flight flight = ledger.open(request, Long.MAX_VALUE);
      if (flight == null) {
        freeClients.add(pacer.nanoTime() - startNanos);
      } else {
        send(request, flight);
      }
    }
  }

  private void send(PlannedRequest request, Ledger.Flight flight) {
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

  private void end(Ledger.Flight flight, RequestOutcome outcome) {
    // The ledger's time delays the next request.
    long ended = pacer.nanoTime() - startNanos;
    flight.close(outcome);
    if (freeClients != null) {
      freeClients.add(ended);
    }
  }

  private static RequestOutcome given(RequestOutcome outcome) {
    return outcome == null ? RequestOutcome.error("no outcome") : outcome;
  }

  private void drain(Ledger ledger) throws InterruptedException {
    long deadline = pacer.nanoTime() + settings.requestTimeoutNanos() + GRACE_NANOS;
    while (ledger.outstanding() > 0 && pacer.nanoTime() < deadline) {
      await(Math.min(deadline, pacer.nanoTime() + DRAIN_STEP_NANOS));
    }
    ledger.closeUnanswered();
    // Other threads may still be recording answers that came at the same time.
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
