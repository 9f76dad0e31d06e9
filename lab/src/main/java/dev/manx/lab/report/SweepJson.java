/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.manx.lab.experiment.LatencyStatistic;
import dev.manx.lab.report.Grid.Cell;
import dev.manx.lab.stats.Estimate;
import java.util.List;
import java.util.Map;

/** Sweeps and the grid as JSON; latencies in milliseconds, a missing value is null. */
final class SweepJson {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final double US_PER_MS = 1e3;

  private SweepJson() {}

  static ObjectNode sweep(Sweep sweep, String loadWord) {
    ObjectNode node = JSON.objectNode();
    node.put("name", sweep.name(loadWord)).put("title", sweep.title(loadWord));
    node.put("kind", sweep.scale().kind().name());
    node.put("unit", sweep.scale().unit());
    ArrayNode metrics = node.putArray("metrics");
    sweep.metrics().forEach(metrics::add);
    ArrayNode labels = node.putArray("labels");
    sweep.scale().labels().forEach(labels::add);
    ArrayNode lines = node.putArray("lines");
    for (Sweep.Line line : sweep.lines()) {
      ObjectNode own = lines.addObject();
      own.put("arm", line.arm()).put("class", line.requestClass());
      own.put("load", line.load()).put("metric", line.metric());
      ArrayNode saturated = own.putArray("saturated");
      ArrayNode failed = own.putArray("failed");
      ArrayNode ranges = own.putArray("ranges");
      line.points()
          .forEach(
              (label, value) -> {
                PointMarks marks = line.marks().getOrDefault(label, PointMarks.NONE);
                saturated.add(marks.saturated());
                ReportJson.add(failed, marks.fails() ? marks.failedPct() : Double.NaN);
                ranges.add(Ends.isRange(value));
              });
      ArrayNode points = own.putArray("points");
      for (Map.Entry<String, Estimate> point : line.points().entrySet()) {
        ArrayNode numbers = points.addArray();
        ReportJson.add(numbers, sweep.scale().positions().get(point.getKey()));
        ReportJson.add(numbers, point.getValue().value());
        ReportJson.add(numbers, point.getValue().lo());
        ReportJson.add(numbers, point.getValue().hi());
      }
    }
    return node;
  }

  static ObjectNode grid(Grid grid, List<String> heatArms) {
    ObjectNode node = JSON.objectNode();
    ArrayNode columns = node.putArray("columns");
    grid.labels().forEach(columns::add);
    ArrayNode cells = node.putArray("cells");
    for (Cell cell : grid.cells()) {
      ObjectNode own = cells.addObject();
      own.put("arm", cell.arm()).put("column", grid.columns().indexOf(cell.column()));
      own.put("saturated", cell.marks().saturated());
      if (cell.marks().fails()) {
        own.put("failed", cell.marks().failedPct());
      }
      ArrayNode ms = own.putArray("ms");
      for (LatencyStatistic quantile : LatencyStatistic.COMPARED) {
        ReportJson.add(ms, cell.us().getOrDefault(quantile, Double.NaN) / US_PER_MS);
      }
    }
    // By quantile: for each column the arm that is the reference, or null.
    ArrayNode bases = node.putArray("bases");
    for (LatencyStatistic quantile : LatencyStatistic.COMPARED) {
      Map<Grid.Column, Cell> best = grid.best(heatArms, quantile);
      ArrayNode arms = bases.addArray();
      grid.columns().forEach(c -> arms.add(best.containsKey(c) ? best.get(c).arm() : null));
    }
    return node;
  }
}
