/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentWriter;
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
final class ResultFiles implements AutoCloseable {
  private final Path folder;
  private final Experiment experiment;
  private final RowWriter<SummaryRow> summary;
  private final RowWriter<MetricRow> metrics;
  private final RowWriter<TimelineRow> timeline;
  private final Map<Path, Histograms.Log> logs = new LinkedHashMap<>();

  ResultFiles(Path folder, Experiment experiment) throws IOException {
    this.folder = folder;
    this.experiment = experiment;
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("experiment.yaml"), ExperimentWriter.text(experiment));
    summary = RowWriter.create(folder, SummaryRow.FORMAT);
    metrics = RowWriter.create(folder, MetricRow.FORMAT);
    timeline = RowWriter.create(folder, TimelineRow.FORMAT);
  }

  void environment(Environment environment) throws IOException {
    environment.write(folder);
  }

  /** Everything of one turn. */
  void turn(Turn turn, LoadResult result, Map<String, Double> values, List<TimelineRow> looks)
      throws IOException {
    RowKey key = key(turn);
    for (SummaryRow row : result.summaries(key)) {
      summary.append(row);
    }
    for (Map.Entry<String, Double> value : values.entrySet()) {
      metrics.append(MetricRow.of(key, value.getKey(), value.getValue()));
    }
    for (TimelineRow row : looks) {
      timeline.append(row);
    }
    String tag = turn.tag(experiment.loads().size() > 1);
    for (RequestClass one : result.classes().keySet()) {
      Path file = Histograms.logFile(folder, turn.arm().name(), one.label());
      Histograms.Log log = logs.get(file);
      if (log == null) {
        log = Histograms.log(file, experiment.name() + " " + turn.arm().name());
        logs.put(file, log);
      }
      log.append(
          tag,
          turn.startSeconds(),
          turn.startSeconds() + result.windowSeconds(),
          result.classes().get(one).latencyNanos());
    }
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
    }
  }

  /** One row beside the turns'. */
  void metric(MetricRow row) throws IOException {
    metrics.append(row);
    metrics.flush();
  }

  RowKey key(Turn turn) {
    return new RowKey(
        experiment.name(),
        turn.arm().name(),
        RowKey.ALL,
        turn.load().label(),
        Long.toString(turn.seed()),
        Integer.toString(turn.round()));
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
