/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;

/** Counts one class during the run. Any thread. */
final class ClassTally {
  private final RequestClass requestClass;
  private final LongAdder offered = new LongAdder();
  private final LongAdder ok = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final LongAdder timedOut = new LongAdder();
  private final LongAdder notSent = new LongAdder();
  private final LongAdder reads = new LongAdder();
  private final LongAdder wrongRows = new LongAdder();
  private final LongAdder missingRows = new LongAdder();
  private final LongAdder duplicateRows = new LongAdder();
  private final LongAdder answeredInWindow = new LongAdder();
  private final Histogram latencyNanos = Histograms.createConcurrent();

  ClassTally(RequestClass requestClass) {
    this.requestClass = requestClass;
  }

  RequestClass requestClass() {
    return requestClass;
  }

  void offered() {
    offered.increment();
  }

  void notSent() {
    notSent.increment();
  }

  void answeredInWindow() {
    answeredInWindow.increment();
  }

  void ended(RequestOutcome outcome, int requestReads, long nanos) {
    reads.add(outcome.kind() == RequestOutcome.Kind.UNSENT ? 0 : requestReads);
    wrongRows.add(outcome.wrongRows());
    missingRows.add(outcome.missingRows());
    duplicateRows.add(outcome.duplicateRows());
    switch (outcome.kind()) {
      case OK -> ok.increment();
      case ERROR, UNSENT -> errors.increment();
      case TIMED_OUT -> timedOut.increment();
    }
    if (!outcome.failed()) {
      Histograms.record(latencyNanos, nanos);
    }
  }

  ClassResult result(double windowSeconds) {
    return new ClassResult(
        requestClass,
        offered.sum(),
        ok.sum(),
        errors.sum(),
        timedOut.sum(),
        notSent.sum(),
        reads.sum(),
        wrongRows.sum(),
        missingRows.sum(),
        duplicateRows.sum(),
        answeredInWindow.sum() / windowSeconds,
        latencyNanos.copy());
  }
}
