/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import static dev.manx.workload.result.RowKey.ALL;

import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Params;
import dev.manx.lab.experiment.Saturation;
import dev.manx.lab.stats.Estimate;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The rows of a result folder for computing figures; immutable. */
record ResultRows(List<SummaryRow> summary, List<MetricRow> metrics) {
  private static final double US_PER_MS = 1e3;
  private static final double PERCENT = 100;

  /** Reads a folder; a missing file counts as empty. */
  static ResultRows read(Path folder) throws IOException {
    return new ResultRows(
        RowReader.readIfPresent(folder, SummaryRow.FORMAT),
        RowReader.readIfPresent(folder, MetricRow.FORMAT));
  }

  /** The value of each round, by seed and round. */
  Map<String, Double> rounds(Operand side) {
    Map<String, Double> values = new LinkedHashMap<>();
    if (side.isSummary()) {
      summary.stream()
          .filter(row -> row.key().isRound() && matches(row.key(), side))
          .filter(row -> !Double.isNaN(value(row, side)))
          .forEach(row -> values.put(block(row.key()), value(row, side)));
    } else {
      metrics.stream()
          .filter(row -> row.key().isRound() && matches(row, side))
          .forEach(row -> values.put(block(row.key()), value(row.value(), side)));
    }
    return values;
  }

  /** The value over all seeds and rounds, with the interval computed by the run. */
  Optional<Estimate> pooled(Operand side) {
    return side.isSummary()
        ? summary.stream()
            .filter(row -> row.key().isPooled() && matches(row.key(), side))
            .map(row -> new Estimate(value(row, side), Double.NaN, Double.NaN, 1))
            .filter(Estimate::exists)
            .findFirst()
        : metrics.stream()
            .filter(row -> row.key().isPooled() && matches(row, side))
            .map(
                row ->
                    new Estimate(
                        value(row.value(), side),
                        value(row.lo(), side),
                        value(row.hi(), side),
                        row.lo() < row.hi() ? 2 : 1))
            .findFirst();
  }

  /** Whether the arm was saturated at an operand's load: its class, or all requests together. */
  boolean saturated(Operand side) {
    return saturated(side, side.requestClass()) || saturated(side, ALL);
  }

  /**
   * Whether so many of the arm's requests failed, in its class or of all requests together, that
   * the latencies of the others flatter it.
   */
  boolean failing(Operand side) {
    return failing(side, side.requestClass()) || failing(side, ALL);
  }

  private boolean failing(Operand side, String requestClass) {
    double pct =
        metrics.stream()
            .filter(row -> row.metric().equals(Measured.FAILED))
            .filter(row -> row.key().requestClass().equals(requestClass) && says(row, side))
            .mapToDouble(MetricRow::value)
            .max()
            .orElse(0);
    return Math.max(pct / PERCENT, failedShare(side, requestClass)) > Saturation.MOST_FAILED_SHARE;
  }

  /** The share in the rows of the summary, which does not contain points of a sweep. */
  private double failedShare(Operand side, String requestClass) {
    List<SummaryRow> own =
        side.params().isEmpty()
            ? summary.stream()
                .filter(row -> row.key().requestClass().equals(requestClass))
                .filter(row -> matches(row.key().withClass(side.requestClass()), side))
                .toList()
            : List.of();
    long all = own.stream().mapToLong(SummaryRow::count).sum();
    return all == 0 ? 0 : (double) own.stream().mapToLong(SummaryRow::errors).sum() / all;
  }

  private boolean saturated(Operand side, String requestClass) {
    List<MetricRow> own =
        metrics.stream()
            .filter(row -> row.key().requestClass().equals(requestClass) && says(row, side))
            .toList();
    return Saturation.of(
        side.load(),
        metric ->
            own.stream()
                .filter(row -> row.metric().equals(metric))
                .mapToDouble(MetricRow::value)
                .findFirst());
  }

  /** The distinct loads of an operand's rows. */
  List<String> loads(Operand side) {
    return (side.isSummary()
            ? summary.stream().map(SummaryRow::key).filter(key -> matches(key, side))
            : metrics.stream().filter(row -> matches(row, side)).map(MetricRow::key))
        .map(RowKey::load)
        .distinct()
        .toList();
  }

  /** Exactly the rows needed by figures on these sides. */
  ResultRows only(List<Operand> sides) {
    return new ResultRows(
        summary.stream()
            .filter(row -> sides.stream().anyMatch(side -> isNeeded(row, side)))
            .toList(),
        metrics.stream()
            .filter(row -> sides.stream().anyMatch(side -> matches(row, side) || says(row, side)))
            .toList());
  }

  /** A row with a figure's number, or with the failures of its arm. */
  private static boolean isNeeded(SummaryRow row, Operand side) {
    boolean failures =
        row.key().isPooled()
            && side.params().isEmpty()
            && List.of(ALL, side.requestClass()).contains(row.key().requestClass());
    return failures && matches(row.key().withClass(side.requestClass()), side)
        || side.isSummary() && matches(row.key(), side);
  }

  private static boolean says(MetricRow row, Operand side) {
    return (Saturation.METRICS.contains(row.metric()) || row.metric().equals(Measured.FAILED))
        && row.key().isPooled()
        && List.of(ALL, side.requestClass()).contains(row.key().requestClass())
        && matches(row.key().withClass(side.requestClass()), side)
        && Params.of(row.params()).equals(side.params());
  }

  private static boolean matches(MetricRow row, Operand side) {
    return row.metric().equals(side.metric())
        && matches(row.key(), side)
        && Params.of(row.params()).equals(side.params());
  }

  private static boolean matches(RowKey key, Operand side) {
    return key.arm().equals(side.arm())
        && key.requestClass().equals(side.requestClass())
        && (side.load().isEmpty() || key.load().equals(side.load()));
  }

  private static double value(SummaryRow row, Operand side) {
    return side.latency()
        .map(statistic -> statistic.us(row) / US_PER_MS)
        .orElseGet(row::throughputPerSecond);
  }

  private static double value(double value, Operand side) {
    return side.isLatency() ? value / US_PER_MS : value;
  }

  private static String block(RowKey key) {
    return key.seed() + "/" + key.round();
  }
}
