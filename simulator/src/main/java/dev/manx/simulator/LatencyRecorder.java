/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import dev.manx.simulator.ModelSpec.Fault;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.Recovery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Records latencies of measured requests by class. Confined to one thread. */
final class LatencyRecorder {
  /** The record of one class. */
  private static final class Book {
    private final RequestClass requestClass;
    private final Histogram nanos = Histograms.create();
    private long count;
    private long errors;
    private long answeredInWindow;
    private double sumNanos;

    Book(RequestClass requestClass) {
      this.requestClass = requestClass;
    }
  }

  private final Book[] books;
  private final long firstMeasured;
  private final int narrowMaxReads;
  private final Recovery recovery;
  private boolean windowIsOpen;

  LatencyRecorder(RunSpec run, List<Fault> faults) {
    recovery = recoveryFrom(faults);
    List<RequestClass> classes = new ArrayList<>(List.of(RequestClass.ALL));
    run.classes().stream().filter(c -> c != RequestClass.ALL).forEach(classes::add);
    books = classes.stream().map(Book::new).toArray(Book[]::new);
    firstMeasured = firstMeasured(run);
    narrowMaxReads = run.narrowMaxReads();
  }

  /** The recovery from faults; null without a fault, or with a fault that recurs forever. */
  static Recovery recoveryFrom(List<Fault> faults) {
    if (faults.isEmpty() || faults.stream().anyMatch(fault -> fault.everyNanos() > 0)) {
      return null;
    }
    return new Recovery(
        faults.stream().mapToLong(Fault::fromNanos).min().orElseThrow(),
        faults.stream().mapToLong(Fault::toNanos).max().orElseThrow());
  }

  /** Number of the first measured request. */
  static long firstMeasured(RunSpec run) {
    return Math.round(run.requests() * run.warmUpShare());
  }

  void ended(Flight flight, long nowNanos) {
    long latency = nowNanos - flight.arrivalNanos;
    boolean measured = flight.sequence >= firstMeasured;
    if (recovery != null) {
      recovery.ended(flight.sequence, flight.arrivalNanos, latency, measured, !flight.failed);
    }
    boolean inWindow = windowIsOpen && !flight.failed;
    if (!measured && !inWindow) {
      return;
    }
    for (Book book : books) {
      if (book.requestClass.holds(flight.reads, flight.large, narrowMaxReads)) {
        book.answeredInWindow += inWindow ? 1 : 0;
        if (!measured) {
          continue;
        }
        book.count++;
        if (flight.failed) {
          book.errors++;
        } else {
          Histograms.record(book.nanos, latency);
          book.sumNanos += latency;
        }
      }
    }
  }

  /** Time to recover from the last fault; null if unknown. */
  Recovery.Found recovery() {
    return recovery == null ? null : recovery.found();
  }

  /** Begins or ends the time in which answers count for the throughput. */
  void window(boolean isOpen) {
    windowIsOpen = isOpen;
  }

  Map<RequestClass, Outcome.ClassOutcome> results() {
    Map<RequestClass, Outcome.ClassOutcome> results = new LinkedHashMap<>();
    for (Book book : books) {
      long answered = book.count - book.errors;
      results.put(
          book.requestClass,
          new Outcome.ClassOutcome(
              book.count,
              book.errors,
              book.answeredInWindow,
              answered == 0 ? Double.NaN : book.sumNanos / answered,
              book.nanos));
    }
    return results;
  }
}
