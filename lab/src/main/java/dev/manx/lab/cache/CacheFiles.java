/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cache;

import dev.manx.simulator.Outcome.Point;
import dev.manx.simulator.cache.CacheOutcome;
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
import java.util.Map;

/**
 * The result folder of an experiment on divided caches being written: all but {@code
 * environment.json} is a function of the experiment alone. Complete once closed.
 */
final class CacheFiles implements AutoCloseable {
  private static final String ROUND = "1";

  private final Path folder;
  private final CacheExperiment experiment;
  private final RowWriter<SummaryRow> summary;
  private final RowWriter<MetricRow> metrics;
  private final RowWriter<TimelineRow> timeline;
  private final Map<Path, Histograms.Log> logs = new LinkedHashMap<>();

  CacheFiles(Path folder, CacheExperiment experiment) throws IOException {
    this.folder = folder;
    this.experiment = experiment;
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("experiment.yaml"), experiment.text());
    summary = RowWriter.create(folder, SummaryRow.FORMAT);
    metrics = RowWriter.create(folder, MetricRow.FORMAT);
    timeline = RowWriter.create(folder, TimelineRow.FORMAT);
  }

  /** All arms and seeds of a scenario. */
  void played(PlayedScenario played) throws IOException {
    for (SummaryRow row : played.summaries()) {
      summary.append(row);
    }
    for (MetricRow row : played.metrics()) {
      metrics.append(row);
    }
    for (Map.Entry<String, Map<Long, CacheOutcome>> arm : played.outcomes().entrySet()) {
      for (Map.Entry<Long, CacheOutcome> seed : arm.getValue().entrySet()) {
        write(played.load(), arm.getKey(), seed.getKey(), seed.getValue());
      }
    }
    summary.flush();
    metrics.flush();
    timeline.flush();
  }

  private void write(String load, String arm, long seed, CacheOutcome outcome) throws IOException {
    boolean many = experiment.scenarios().size() > 1;
    for (Point point : outcome.timeline()) {
      timeline.append(
          new TimelineRow(
              arm,
              Long.toString(seed),
              ROUND,
              point.seconds(),
              many ? point.entity() + "@" + load : point.entity(),
              point.metric(),
              point.value()));
    }
    Path file = Histograms.logFile(folder, arm, RowKey.ALL);
    Histograms.Log log = logs.get(file);
    if (log == null) {
      log = Histograms.log(file, experiment.name() + " " + arm);
      logs.put(file, log);
    }
    String tag = "s" + seed + "r" + ROUND;
    log.append(many ? load + ";" + tag : tag, 0, outcome.windowSeconds(), outcome.requests());
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
