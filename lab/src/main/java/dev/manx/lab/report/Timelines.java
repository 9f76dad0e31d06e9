/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.report.ReportData.Timeline;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lines of timeline.csv.
 *
 * @param leftOut rows beyond {@link #MAX_ROWS}
 */
record Timelines(List<Timeline> lines, long leftOut) {
  /** What a page of some megabytes can hold. */
  static final int MAX_ROWS = 60_000;

  static Timelines read(Path directory, ReportReader.Names names) throws IOException {
    if (!Files.exists(directory.resolve(TimelineRow.FORMAT.fileName()))) {
      return new Timelines(List.of(), 0);
    }
    List<TimelineRow> rows = RowReader.read(directory, TimelineRow.FORMAT);
    Map<List<String>, List<Timeline.Point>> lines = new LinkedHashMap<>();
    for (TimelineRow row : rows.subList(0, Math.min(MAX_ROWS, rows.size()))) {
      List<String> key =
          List.of(row.metric(), row.arm(), row.entity(), names.block(row.seed(), row.round()));
      lines
          .computeIfAbsent(key, k -> new ArrayList<>())
          .add(new Timeline.Point(row.seconds(), row.value()));
    }
    List<Timeline> all = new ArrayList<>();
    lines.forEach(
        (key, points) ->
            all.add(
                new Timeline(key.get(0), key.get(1), key.get(2), key.get(3), List.copyOf(points))));
    return new Timelines(List.copyOf(all), Math.max(0, rows.size() - MAX_ROWS));
  }
}
