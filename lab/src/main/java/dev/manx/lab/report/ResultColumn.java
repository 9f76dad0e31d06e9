/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.report.ReportData.Result;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.stats.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * A column of the table of latencies: declared here once for page, terminal and report.json.
 *
 * @param name its heading
 * @param cell a result's value, formatted for users
 */
record ResultColumn(String name, Function<Result, Cell> cell) {
  private static ResultColumn of(String name, Function<Result, String> text) {
    return new ResultColumn(name, result -> Cell.of(text.apply(result)));
  }

  private static ResultColumn failures(String name, Function<Result, Long> count) {
    return new ResultColumn(
        name, result -> Cell.of(Format.count(count.apply(result))).bad(count.apply(result) > 0));
  }

  private static ResultColumn of(LatencyStatistic quantile, Ends ends) {
    return new ResultColumn(
        quantile.label() + " ms",
        result -> {
          Estimate us = result.latencies().get(quantile);
          String interval = Format.msInterval(us);
          return Cell.of(
              Format.ms(us.value()), interval.isEmpty() ? "" : ends.before(us) + interval);
        });
  }

  /** The columns of a report; utilisation only if measured. */
  static List<ResultColumn> of(ReportData data) {
    List<ResultColumn> columns = new ArrayList<>();
    columns.add(of("requests", result -> Format.count(result.count())));
    columns.add(failures("errors", Result::errors));
    columns.add(failures("wrong", Result::wrong));
    columns.add(of("answered /s", result -> Format.number(result.throughput().value())));
    Ends ends = data.ends();
    LatencyStatistic.COMPARED.forEach(quantile -> columns.add(of(quantile, ends)));
    if (data.results().stream().anyMatch(result -> !Double.isNaN(result.utilisation()))) {
      columns.add(of("utilisation", result -> Format.percent(result.utilisation())));
    }
    return columns;
  }
}
