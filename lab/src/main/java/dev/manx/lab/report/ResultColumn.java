/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A column of the table of latencies, on the page and on the terminal.
 *
 * @param name its heading
 * @param text a result's value, as people read it
 * @param interval that belongs to it; empty where there is none
 * @param bad whether a reader must not overlook it
 */
record ResultColumn(
    String name,
    Function<Result, String> text,
    Function<Result, String> interval,
    Predicate<Result> bad) {
  private static ResultColumn of(String name, Function<Result, String> text) {
    return new ResultColumn(name, text, result -> "", result -> false);
  }

  private static ResultColumn failures(String name, Function<Result, Long> count) {
    return new ResultColumn(
        name,
        result -> Format.count(count.apply(result)),
        result -> "",
        result -> count.apply(result) > 0);
  }

  private static ResultColumn of(Quantile quantile) {
    Function<Result, Estimate> value = result -> result.quantiles().get(quantile);
    return new ResultColumn(
        quantile.label() + " ms",
        result -> Format.ms(value.apply(result).value()),
        result -> Format.msInterval(value.apply(result)),
        result -> false);
  }

  /** The columns of a report; utilisation only where it was measured. */
  static List<ResultColumn> of(ReportData data) {
    List<ResultColumn> columns = new ArrayList<>();
    columns.add(of("requests", result -> Format.count(result.count())));
    columns.add(failures("errors", Result::errors));
    columns.add(failures("wrong", Result::wrong));
    columns.add(of("answered /s", result -> Format.number(result.throughput().value())));
    Quantile.ALL.forEach(quantile -> columns.add(of(quantile)));
    if (data.results().stream().anyMatch(result -> !Double.isNaN(result.utilisation()))) {
      columns.add(of("utilisation", result -> Format.percent(result.utilisation())));
    }
    return columns;
  }
}
