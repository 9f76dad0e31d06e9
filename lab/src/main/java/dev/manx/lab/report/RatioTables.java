/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.report.ReportData.Comparison;
import dev.manx.lab.report.render.Table;
import dev.manx.lab.report.render.Table.Cell;
import dev.manx.lab.report.render.Table.Column;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;

/** The ratios behind the verdicts with their ends: one table per load and class. */
final class RatioTables {
  private RatioTables() {}

  /** The tables; loads and classes at which no arms are compared are left out. */
  static List<Table> of(ReportData data) {
    List<Table> tables = new ArrayList<>();
    for (String load : data.loads()) {
      for (String requestClass : data.classes()) {
        Table table = table(data, requestClass, load);
        if (!table.rows().isEmpty()) {
          tables.add(table);
        }
      }
    }
    return tables;
  }

  private static Table table(ReportData data, String requestClass, String load) {
    List<Column> columns = new ArrayList<>(List.of(Column.ofNames("arm")));
    if (!data.alsoAgainst().isEmpty()) {
      columns.add(Column.ofNames("over"));
    }
    LatencyStatistic.COMPARED.forEach(quantile -> columns.add(Column.of(quantile.label())));
    List<List<Cell>> rows = new ArrayList<>();
    List<String> arms = new ArrayList<>(data.arms());
    arms.remove(data.baseline());
    for (String arm : arms) {
      Stream.concat(Stream.of(data.baseline()), data.alsoAgainst().stream())
          .map(over -> row(data, arm, over, requestClass, load))
          .forEach(row -> row.ifPresent(rows::add));
    }
    return new Table("ratios", columns, rows).of(load, requestClass);
  }

  /** Empty if the two arms are not compared. */
  private static Optional<List<Cell>> row(
      ReportData data, String arm, String over, String requestClass, String load) {
    List<Comparison> all = data.comparisons(arm, over, requestClass, load);
    if (all.stream().noneMatch(one -> one.result().ratio().exists())) {
      return Optional.empty();
    }
    List<Cell> row = new ArrayList<>(List.of(Cell.of(arm)));
    if (!data.alsoAgainst().isEmpty()) {
      row.add(Cell.of(over));
    }
    all.forEach(one -> row.add(cell(one, data.ends())));
    return Optional.of(row);
  }

  /** The ratio; below it {@code 0.49–0.52, faster}. */
  private static Cell cell(Comparison comparison, Ends ends) {
    Estimate ratio = comparison.result().ratio();
    Verdict verdict = comparison.result().verdict();
    boolean differs = verdict == Verdict.LOWER || verdict == Verdict.HIGHER;
    DoubleFunction<String> text = differs ? Format::unequal : Format::ratio;
    Cell numbers = Format.cell(ratio, text, ends);
    String words =
        switch (verdict) {
          case LOWER -> "faster";
          case HIGHER -> "slower";
          case NO_DIFFERENCE -> "no difference";
          case TOO_FEW_ROUNDS -> "too few rounds";
          case TOO_FEW_REQUESTS -> "too few requests";
          case SATURATED, FAILED -> "not compared";
        };
    return Cell.of(
        numbers.text(), numbers.small().isEmpty() ? words : numbers.small() + ", " + words);
  }
}
