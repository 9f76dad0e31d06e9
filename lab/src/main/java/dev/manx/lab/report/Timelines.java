/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.report;

import dev.manx.lab.experiment.LoadTag;
import dev.manx.lab.report.ReportData.Timeline;
import dev.manx.workload.result.RowReader;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Lines of timeline.csv.
 *
 * @param leftOut number of omitted rows
 */
record Timelines(List<Timeline> lines, long leftOut) {
  /** The number of rows that fit a page of some megabytes. */
  static final int MAX_ROWS = 60_000;

  /** The key of a line. */
  private record Key(String metric, String arm, String entity, String load, String block) {}

  static Timelines read(Path directory, ReportReader.Names names) throws IOException {
    return of(RowReader.readIfPresent(directory, TimelineRow.FORMAT), names, MAX_ROWS);
  }

  /**
   * Lines with a limited number of points: as many rounds as fit, but at least one; if one round is
   * too large, every n-th point of each of its lines.
   */
  static Timelines of(List<TimelineRow> rows, ReportReader.Names names, int maxRows) {
    Map<String, Integer> sizes = new LinkedHashMap<>();
    for (TimelineRow row : rows) {
      sizes.merge(names.block(row.seed(), row.round()), 1, Integer::sum);
    }
    Set<String> kept = new LinkedHashSet<>();
    long size = 0;
    for (Map.Entry<String, Integer> block : sizes.entrySet()) {
      if (!kept.isEmpty() && size + block.getValue() > maxRows) {
        break;
      }
      kept.add(block.getKey());
      size += block.getValue();
    }
    long step = Math.max(1, (size + maxRows - 1) / maxRows);
    Map<Key, List<Timeline.Point>> lines = new LinkedHashMap<>();
    Map<Key, Long> seen = new LinkedHashMap<>();
    long drawn = 0;
    for (TimelineRow row : rows) {
      String block = names.block(row.seed(), row.round());
      if (!kept.contains(block)) {
        continue;
      }
      String load = LoadTag.load(row.entity(), names.loads());
      String entity = LoadTag.entity(row.entity(), names.loads());
      Key key = new Key(row.metric(), row.arm(), entity, load, block);
      if ((seen.merge(key, 1L, Long::sum) - 1) % step == 0) {
        lines
            .computeIfAbsent(key, k -> new ArrayList<>())
            .add(new Timeline.Point(row.seconds(), row.value()));
        drawn++;
      }
    }
    List<Timeline> all = new ArrayList<>();
    lines.forEach(
        (key, points) ->
            all.add(
                new Timeline(
                    key.metric(),
                    key.arm(),
                    key.entity(),
                    key.load(),
                    key.block(),
                    List.copyOf(points))));
    return new Timelines(Gaps.mark(all), rows.size() - drawn);
  }
}
