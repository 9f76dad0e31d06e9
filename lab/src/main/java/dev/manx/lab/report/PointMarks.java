/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.report.ReportData.Result;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;

/**
 * The reasons why the latency of an arm at a load or point does not describe the same work as
 * another arm's.
 *
 * @param saturated whether its latency depends on the length of the run
 * @param failedPct share of its requests that failed, timed out or were not sent; NaN if unknown
 */
record PointMarks(boolean saturated, double failedPct) {
  static final PointMarks NONE = new PointMarks(false, Double.NaN);

  /** The marks of a result in summary.csv. */
  static PointMarks of(Result result) {
    return new PointMarks(result.saturated(), 100 * result.failedShare());
  }

  /** The marks of a place, from its metrics by name. */
  static PointMarks of(String load, Function<String, OptionalDouble> metrics) {
    return new PointMarks(
        Saturation.of(load, metrics), metrics.apply(Measured.FAILED).orElse(Double.NaN));
  }

  /** Whether so many requests failed that the latencies of the others flatter the arm. */
  boolean fails() {
    return failedPct > 100 * Saturation.MOST_FAILED_SHARE;
  }

  /** Whether other latencies may be compared with this latency. */
  boolean isReference() {
    return !saturated && !fails();
  }

  /** These marks, completed from others. */
  PointMarks or(PointMarks others) {
    return new PointMarks(
        saturated || others.saturated, Double.isNaN(failedPct) ? others.failedPct : failedPct);
  }

  /** {@code saturated, 3.2 % failed}; empty without a mark. */
  String words() {
    List<String> words = new ArrayList<>();
    if (saturated) {
      words.add("saturated");
    }
    if (fails()) {
      words.add(failed());
    }
    return String.join(", ", words);
  }

  /** {@code 3.2 % failed}. */
  String failed() {
    return share(failedPct) + " failed";
  }

  /** The part of an arm's requests that failed, {@code 3.2 %}. */
  static String share(Result result) {
    return share(of(result).failedPct);
  }

  private static String share(double pct) {
    return Format.compact(pct) + "\u00a0%";
  }
}
