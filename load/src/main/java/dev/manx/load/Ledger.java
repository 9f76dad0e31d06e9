/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.PlannedRequest;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * The accounting of a run. Every request is opened once and closed once, by its answer or by the
 * end of the run. The dispatching thread calls {@link #open} and {@link #closeUnanswered}; any
 * thread may close and observe.
 */
final class Ledger {
  private static final int FAILURE_KINDS = 20;

  private final LoadSettings settings;
  private final Pacer pacer;
  private final RequestEnds ends;
  private final long startNanos;
  private final List<ClassTally> tallies;
  private final Set<Flight> flights = ConcurrentHashMap.newKeySet();
  private final AtomicInteger outstanding = new AtomicInteger();
  private final Backlog.Sampler backlog = new Backlog.Sampler();
  private final Histogram lagNanos = Histograms.create();
  private final Recorder interval =
      new Recorder(Histograms.LOWEST_NANOS, Histograms.HIGHEST_NANOS, Histograms.DIGITS);
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();
  private final LongAdder offered = new LongAdder();
  private final LongAdder ended = new LongAdder();
  private final LongAdder answered = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder wrong = new LongAdder();
  private final LongAdder warmUpSent = new LongAdder();
  private final LongAdder warmUpFailed = new LongAdder();
  private final LongAdder warmUpWrong = new LongAdder();
  private long unanswered;
  private volatile long lastLookNanos;

  Ledger(LoadSettings settings, Pacer pacer) {
    this(settings, pacer, RequestEnds.IGNORED);
  }

  Ledger(LoadSettings settings, Pacer pacer, RequestEnds ends) {
    this.settings = settings;
    this.pacer = pacer;
    this.ends = ends;
    tallies = settings.classes().stream().map(ClassTally::new).toList();
    startNanos = pacer.nanoTime();
  }

  long startNanos() {
    return startNanos;
  }

  int outstanding() {
    return outstanding.get();
  }

  /**
   * Opens a request before it is sent; returns null if it must not be sent, because too many are
   * outstanding or it is too late.
   */
  Flight open(PlannedRequest request, long mostLateNanos) {
    boolean measured = request.intendedNanos() >= settings.warmUpNanos();
    Flight flight = new Flight(request, measured);
    offered.increment();
    int before = outstanding.get();
    long lateNanos = pacer.nanoTime() - startNanos - request.intendedNanos();
    if (measured) {
      backlog.add(share(request), before + due(request, lateNanos));
      Histograms.record(lagNanos, lateNanos);
      flight.tallies(ClassTally::offered);
    }
    if (before >= settings.maxOutstanding() || lateNanos > mostLateNanos) {
      failed.increment();
      if (measured) {
        backlog.unserved(share(request));
        flight.tallies(ClassTally::notSent);
      } else {
        warmUpFailed.increment();
      }
      return null;
    }
    if (!measured) {
      warmUpSent.increment();
    }
    outstanding.incrementAndGet();
    flights.add(flight);
    return flight;
  }

  /** The fraction of the window at which a request of the window is intended. */
  private double share(PlannedRequest request) {
    return (double) (request.intendedNanos() - settings.warmUpNanos()) / settings.measuredNanos();
  }

  /**
   * Requests that are due behind a late one, at the rate at which the generator sends; with that of
   * the arrivals, which is higher, the first requests of a run would give any number.
   */
  private double due(PlannedRequest request, long lateNanos) {
    return lateNanos <= 0
        ? 0
        : (double) lateNanos * offered.sum() / (request.intendedNanos() + lateNanos);
  }

  /** Closes all open requests as timed out. */
  void closeUnanswered() {
    for (Flight flight : flights) {
      if (flight.close(RequestOutcome.timedOut("unanswered at the end of the run"))) {
        unanswered++;
      }
    }
  }

  /** The outcome of an exception. */
  static RequestOutcome failed(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return RequestOutcome.error(cause.getClass().getSimpleName());
  }

  /** A progress report for the listener; one thread at a time. */
  LoadProgress look() {
    long elapsed = pacer.nanoTime() - startNanos;
    long sinceLast = elapsed - lastLookNanos;
    lastLookNanos = elapsed;
    return new LoadProgress(
        elapsed,
        elapsed - settings.warmUpNanos(),
        settings.warmUpNanos() + settings.measuredNanos(),
        offered.sum(),
        ended.sum(),
        answered.sum(),
        failed.sum(),
        wrong.sum(),
        outstanding.get(),
        sinceLast,
        interval.getIntervalHistogram());
  }

  LoadResult result() {
    double seconds = settings.measuredNanos() / 1e9;
    Map<RequestClass, ClassResult> classes = new EnumMap<>(RequestClass.class);
    tallies.forEach(tally -> classes.put(tally.requestClass(), tally.result(seconds)));
    Map<String, Long> kinds = new HashMap<>();
    failures.forEach((detail, count) -> kinds.put(detail, count.sum()));
    return new LoadResult(
        classes,
        lagNanos.copy(),
        backlog.result(),
        seconds,
        warmUpSent.sum(),
        warmUpFailed.sum(),
        warmUpWrong.sum(),
        unanswered,
        kinds);
  }

  private void countFailure(String detail) {
    String kind =
        failures.containsKey(detail) || failures.size() < FAILURE_KINDS ? detail : "other";
    failures.computeIfAbsent(kind, any -> new LongAdder()).increment();
  }

  /** One request in flight. */
  final class Flight {
    private final PlannedRequest request;
    private final boolean measured;
    private final AtomicBoolean closed = new AtomicBoolean();

    private Flight(PlannedRequest request, boolean measured) {
      this.request = request;
      this.measured = measured;
    }

    /** Applies an action to the tallies of all classes of this request. */
    private void tallies(Consumer<ClassTally> action) {
      for (ClassTally tally : tallies) {
        if (tally.requestClass().holds(request, settings.narrowMaxReads())) {
          action.accept(tally);
        }
      }
    }

    /** Records the end; returns false without recording if it had already ended. */
    boolean close(RequestOutcome outcome) {
      if (!closed.compareAndSet(false, true)) {
        return false;
      }
      long now = pacer.nanoTime() - startNanos;
      long latency = now - request.intendedNanos();
      flights.remove(this);
      if (!outcome.failed()) {
        interval.recordValue(Math.max(0, Math.min(Histograms.HIGHEST_NANOS, latency)));
      }
      boolean ok = outcome.kind() == RequestOutcome.Kind.OK;
      ended.increment();
      answered.add(ok ? 1 : 0);
      wrong.add(outcome.wrong());
      if (!ok) {
        failed.increment();
        countFailure(outcome.detail());
      }
      if (measured) {
        if (outcome.unserved()) {
          backlog.unserved(share(request));
        }
        tallies(tally -> tally.ended(outcome, request.reads(), latency));
      } else {
        warmUpFailed.add(ok ? 0 : 1);
        warmUpWrong.add(outcome.wrong());
      }
      ends.ended(request.sequence(), request.intendedNanos(), latency, measured, ok);
      long sinceWindow = now - settings.warmUpNanos();
      if (ok && sinceWindow >= 0 && sinceWindow < settings.measuredNanos()) {
        tallies(ClassTally::answeredInWindow);
      }
      // Last, so that a reader that sees no outstanding request sees every request recorded.
      outstanding.decrementAndGet();
      return true;
    }
  }
}
