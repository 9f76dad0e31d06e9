/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.RequestClass;
import org.HdrHistogram.Histogram;

/**
 * The result of one class of requests. Counters cover requests intended in the measured window;
 * {@code offered = ok + errors + timedOut + notSent} always.
 *
 * @param requestClass the class
 * @param offered requests the workload intended
 * @param ok answered
 * @param errors failed
 * @param timedOut not answered in time, by the target's clock or by the end of the run
 * @param notSent not sent because too many were outstanding or the send was too late
 * @param reads reads of the requests that were sent
 * @param wrongRows rows with a wrong value
 * @param missingRows keys without a row
 * @param duplicateRows rows returned more than once
 * @param throughputPerSecond requests answered during the window, with any intended start, per
 *     second
 * @param latencyNanos from the intended start, of requests answered or timed out; failures are
 *     excluded, since quick failures would lower it
 */
public record ClassResult(
    RequestClass requestClass,
    long offered,
    long ok,
    long errors,
    long timedOut,
    long notSent,
    long reads,
    long wrongRows,
    long missingRows,
    long duplicateRows,
    double throughputPerSecond,
    Histogram latencyNanos) {
  /** Returns these counts under another class. */
  ClassResult as(RequestClass other) {
    return new ClassResult(
        other,
        offered,
        ok,
        errors,
        timedOut,
        notSent,
        reads,
        wrongRows,
        missingRows,
        duplicateRows,
        throughputPerSecond,
        latencyNanos);
  }

  /** Requests given to the target. */
  public long sent() {
    return ok + errors + timedOut;
  }

  /** Rows wrong, missing or duplicate. */
  public long wrong() {
    return wrongRows + missingRows + duplicateRows;
  }

  /** Requests not answered: failed, timed out or not sent. */
  public long failed() {
    return errors + timedOut + notSent;
  }
}
