/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload.result;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.AbstractHistogram;

/**
 * One row of {@code summary.csv}: latency of whole requests from the intended start, microseconds.
 *
 * @param key key of the row
 * @param count requests intended in the measured window, with any outcome
 * @param errors requests without success: errors, time-outs and requests that were not sent
 * @param wrong rows returned wrong, missing or twice
 * @param throughputPerSecond requests answered successfully in the window, per second
 * @param meanUs mean; NaN (an empty field), like the percentiles, for an empty histogram
 * @param p50Us median
 * @param p90Us 90th percentile
 * @param p95Us 95th percentile
 * @param p99Us 99th percentile
 * @param p999Us 99.9th percentile
 * @param maxUs maximum
 * @param p99LoUs lower end of the 95 % interval of P99, NaN where there is none
 * @param p99HiUs upper end of the 95 % interval of P99, NaN where there is none
 */
public record SummaryRow(
    RowKey key,
    long count,
    long errors,
    long wrong,
    double throughputPerSecond,
    double meanUs,
    double p50Us,
    double p90Us,
    double p95Us,
    double p99Us,
    double p999Us,
    double maxUs,
    double p99LoUs,
    double p99HiUs) {
  /** Column of {@code throughputPerSecond}. */
  public static final String THROUGHPUT = "throughput_per_s";

  private static final List<String> OWN =
      List.of(
          "count",
          "errors",
          "wrong",
          THROUGHPUT,
          "mean_us",
          "p50_us",
          "p90_us",
          "p95_us",
          "p99_us",
          "p999_us",
          "max_us",
          "p99_lo_us",
          "p99_hi_us");

  /** The file {@code summary.csv}. */
  public static final RowFormat<SummaryRow> FORMAT =
      new RowFormat.Of<>(
          "summary.csv", Csv.concat(RowKey.COLUMNS, OWN), SummaryRow::fields, SummaryRow::parse);

  /** A row whose latencies come from a histogram of nanoseconds; without an interval of P99. */
  public static SummaryRow of(
      RowKey key,
      long count,
      long errors,
      long wrong,
      double throughputPerSecond,
      AbstractHistogram nanos) {
    return new SummaryRow(
        key,
        count,
        errors,
        wrong,
        throughputPerSecond,
        nanos.getTotalCount() == 0 ? Double.NaN : Histograms.round(nanos.getMean() / 1e3),
        Histograms.percentileUs(nanos, 50),
        Histograms.percentileUs(nanos, 90),
        Histograms.percentileUs(nanos, 95),
        Histograms.percentileUs(nanos, 99),
        Histograms.percentileUs(nanos, 99.9),
        Histograms.percentileUs(nanos, 100),
        Double.NaN,
        Double.NaN);
  }

  /** Returns this row with a 95 % interval of P99. */
  public SummaryRow withP99Interval(double loUs, double hiUs) {
    return new SummaryRow(
        key,
        count,
        errors,
        wrong,
        throughputPerSecond,
        meanUs,
        p50Us,
        p90Us,
        p95Us,
        p99Us,
        p999Us,
        maxUs,
        loUs,
        hiUs);
  }

  private List<String> fields() {
    List<String> out = new ArrayList<>(key.fields());
    out.add(CsvFields.print(count));
    out.add(CsvFields.print(errors));
    out.add(CsvFields.print(wrong));
    double[] numbers = {
      throughputPerSecond, meanUs, p50Us, p90Us, p95Us, p99Us, p999Us, maxUs, p99LoUs, p99HiUs
    };
    for (double number : numbers) {
      out.add(CsvFields.print(number));
    }
    return out;
  }

  private static SummaryRow parse(CsvFields in) {
    return new SummaryRow(
        RowKey.parse(in),
        in.count("count"),
        in.count("errors"),
        in.count("wrong"),
        in.number(THROUGHPUT),
        in.latency("mean_us"),
        in.latency("p50_us"),
        in.latency("p90_us"),
        in.latency("p95_us"),
        in.latency("p99_us"),
        in.latency("p999_us"),
        in.latency("max_us"),
        in.optionalNumber("p99_lo_us"),
        in.optionalNumber("p99_hi_us"));
  }
}
