/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.PlannedRequest;
import dev.manx.workload.Requests;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.TimeUnit;

/**
 * Sends a stream of requests, open-loop by default: the caller's thread starts each at its intended
 * time or as soon as possible after it, and never waits for an answer. Latency counts from the
 * intended start, so a stall of the target or of the dispatcher affects every request it delayed
 * (no coordinated omission). A run is used once.
 *
 * <p>In a closed loop the number of requests in flight is constant, and each is intended to start
 * when another has ended, or shortly after one that was not sent. This measures a target's capacity
 * and hides its stalls: compare throughput.
 */
public final class LoadRun {
  /** Wait beyond the time-out at the end of the run, so that the target's time-out comes first. */
  private static final long GRACE_NANOS = 500_000_000L;

  private static final long DRAIN_STEP_NANOS = 1_000_000L;
  private static final int BOOKING_STEPS = 1_000;

  /** Pause of a client whose request no node took; without it the next would fail at once too. */
  private static final long UNSENT_PAUSE_NANOS = 1_000_000L;

  private final Requests stream;
  private final Target target;
  private final LoadSettings settings;
  private final Pacer pacer;
  private final LoadProgress.Listener listener;

  /** The waiting clients of a closed loop; null for an open loop. */
  private DelayQueue<FreeClient> freeClients;

  private RequestEnds ends = RequestEnds.IGNORED;
  private long mostLateNanos = Long.MAX_VALUE;

  private long startNanos;

  /** A client that is free from a time since the start. */
  private final class FreeClient implements Delayed {
    private final long fromNanos;

    private FreeClient(long fromNanos) {
      this.fromNanos = fromNanos;
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(startNanos + fromNanos - pacer.nanoTime(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      return Long.compare(fromNanos, ((FreeClient) other).fromNanos);
    }
  }

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
    freeClients = requestsUnderWay == 0 ? null : new DelayQueue<>();
    for (int client = 0; client < requestsUnderWay; client++) {
      freeClients.add(new FreeClient(0));
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
      FreeClient free = freeClients.poll(Math.max(0, left), TimeUnit.NANOSECONDS);
      if (free == null || free.fromNanos >= end) {
        return;
      }
      PlannedRequest request = stream.next().at(free.fromNanos);
      Ledger.Flight flight = ledger.open(request, Long.MAX_VALUE);
      if (flight == null) {
        freeClients.add(new FreeClient(pacer.nanoTime() - startNanos));
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
      boolean unsent = outcome.kind() == RequestOutcome.Kind.UNSENT;
      freeClients.add(new FreeClient(unsent ? ended + UNSENT_PAUSE_NANOS : ended));
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
