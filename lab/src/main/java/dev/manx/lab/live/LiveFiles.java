/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.live;

import dev.manx.lab.experiment.YamlText;
import dev.manx.lab.run.Pool;
import dev.manx.load.LoadResult;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The result folder being written; complete once closed. Confined to one thread. */
final class LiveFiles implements AutoCloseable {
  private final Path folder;
  private final LiveExperiment experiment;
  private final RowWriter<SummaryRow> summary;
  private final RowWriter<MetricRow> metrics;
  private final RowWriter<TimelineRow> timeline;
  private final Map<String, Histograms.Log> logs = new LinkedHashMap<>();

  LiveFiles(Path folder, LiveExperiment experiment, Environment environment) throws IOException {
    this.folder = folder;
    this.experiment = experiment;
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("experiment.yaml"), YamlText.of(experiment.written()));
    environment.write(folder);
    summary = RowWriter.create(folder, SummaryRow.FORMAT);
    metrics = RowWriter.create(folder, MetricRow.FORMAT);
    timeline = RowWriter.create(folder, TimelineRow.FORMAT);
  }

  RowKey key(String arm, int round) {
    return new RowKey(
        experiment.name(),
        arm,
        RowKey.ALL,
        experiment.load(),
        Long.toString(experiment.seed()),
        Integer.toString(round));
  }

  /** Everything of one turn. */
  void turn(
      RowKey key,
      double startSeconds,
      LoadResult result,
      Map<String, Double> values,
      List<TimelineRow> looks)
      throws IOException {
    for (SummaryRow row : result.summaries(key)) {
      summary.append(row);
    }
    for (Map.Entry<String, Double> value : values.entrySet()) {
      metrics.append(MetricRow.of(key, value.getKey(), value.getValue()));
    }
    for (TimelineRow row : looks) {
      timeline.append(row);
    }
    Histograms.Log log = logs.get(key.arm());
    if (log == null) {
      log =
          Histograms.log(
              Histograms.logFile(folder, key.arm(), RequestClass.ALL.label()),
              experiment.name() + " " + key.arm());
      logs.put(key.arm(), log);
    }
    log.append(
        "s" + key.seed() + "r" + key.round(),
        startSeconds,
        startSeconds + result.windowSeconds(),
        result.all().latencyNanos());
    summary.flush();
    metrics.flush();
    timeline.flush();
  }

  void pooled(Pool pool) throws IOException {
    for (SummaryRow row : pool.summaries()) {
      summary.append(row);
    }
    for (MetricRow row : pool.metrics()) {
      metrics.append(row);
      if (row.metric().equals("looks_beyond_goal_pct")) {
        metrics.append(
            new MetricRow(
                row.key(),
                "goal=p99;slo_ms=" + experiment.goalNanos() / 1e6,
                "slo_violation_pct",
                row.value(),
                row.lo(),
                row.hi()));
      }
    }
  }

  @Override
  public void close() throws IOException {
    for (Histograms.Log log : logs.values()) {
      log.close();
    }
    summary.close();
    metrics.close();
    timeline.close();
  }
}
