/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.HdrHistogram.Histogram;

/**
 * The result of a run.
 *
 * @param classes results by class; ALL is always present
 * @param scheduleLagNanos delay between intended start and send of requests of the window; their
 *     latency includes it
 * @param backlog requests due and not ended over the window
 * @param windowSeconds length of the measured window
 * @param warmUpSent requests sent during warm-up
 * @param warmUpFailed requests of the warm-up that failed, timed out or were not sent
 * @param warmUpWrong rows wrong, missing or duplicate in warm-up, with those of background work
 * @param unanswered requests (warm-up included) that the run closed as timed out at its end
 * @param failures number of each kind of failure, warm-up included; beyond 20 kinds as {@code
 *     other}
 */
public record LoadResult(
    Map<RequestClass, ClassResult> classes,
    Histogram scheduleLagNanos,
    Backlog backlog,
    double windowSeconds,
    long warmUpSent,
    long warmUpFailed,
    long warmUpWrong,
    long unanswered,
    Map<String, Long> failures) {
  /** The metrics that count failures. */
  public static final Set<String> FAILURES =
      Set.of("errors", "timed_out", "not_sent", "wrong_rows", "missing_rows", "duplicate_rows");

  /** Metric: P99 of {@link #scheduleLagNanos}, microseconds. */
  public static final String LAG_P99 = "schedule_lag_p99_us";

  /** Copies the maps. */
  public LoadResult {
    classes = Collections.unmodifiableMap(new EnumMap<>(classes));
    failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
  }

  /**
   * Returns this result with background work in addition.
   *
   * @param kind its class
   */
  LoadResult with(RequestClass kind, LoadResult work) {
    Map<RequestClass, ClassResult> both = new EnumMap<>(classes);
    both.put(kind, work.all().as(kind));
    Map<String, Long> kinds = new LinkedHashMap<>(failures);
    work.failures.forEach((detail, count) -> kinds.put(kind.label() + ": " + detail, count));
    return new LoadResult(
        both,
        scheduleLagNanos,
        backlog,
        windowSeconds,
        warmUpSent,
        warmUpFailed,
        warmUpWrong + work.warmUpWrong,
        unanswered,
        kinds);
  }

  /** The results of every request. */
  public ClassResult all() {
    return classes.get(RequestClass.ALL);
  }

  /** Rows wrong, missing or duplicate: of requests and background work, in warm-up and window. */
  public long wrong() {
    return warmUpWrong
        + classes.values().stream()
            .filter(one -> one == all() || !RequestClass.OF_REQUESTS.contains(one.requestClass()))
            .mapToLong(ClassResult::wrong)
            .sum();
  }

  /**
   * Whether none of its requests was answered; false without requests, as in a short window at a
   * low rate.
   */
  public boolean answersNothing() {
    return all().offered() > 0 && all().ok() == 0;
  }

  /** The generator's measurements other than latency, for {@code metrics.csv}. */
  public List<MetricRow> metrics(RowKey key) {
    RowKey row = key.withClass(RowKey.ALL);
    ClassResult all = all();
    return List.of(
        MetricRow.of(row, "errors", all.errors()),
        MetricRow.of(row, "timed_out", all.timedOut()),
        MetricRow.of(row, "not_sent", all.notSent()),
        MetricRow.of(row, "wrong_rows", all.wrongRows()),
        MetricRow.of(row, "missing_rows", all.missingRows()),
        MetricRow.of(row, "duplicate_rows", all.duplicateRows()),
        MetricRow.of(row, "reads_per_s", all.reads() / windowSeconds),
        MetricRow.of(row, "schedule_lag_p50_us", lagUs(50)),
        MetricRow.of(row, LAG_P99, lagUs(99)),
        MetricRow.of(row, "schedule_lag_max_us", lagUs(100)),
        MetricRow.of(row, "outstanding_start", backlog.start()),
        MetricRow.of(row, "outstanding_middle", backlog.middle()),
        MetricRow.of(row, "outstanding_end", backlog.end()),
        MetricRow.of(row, "backlog_growing", backlog.growing() ? 1L : 0L));
  }

  /** A percentile of the delay between intended start and send, microseconds; 0 without any. */
  public double lagUs(double percentile) {
    return scheduleLagNanos.getTotalCount() == 0
        ? 0
        : Histograms.percentileUs(scheduleLagNanos, percentile);
  }
}
