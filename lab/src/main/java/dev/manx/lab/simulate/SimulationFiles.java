/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import dev.manx.simulator.Outcome;
import dev.manx.simulator.Outcome.Point;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The result folder of a simulated experiment being written: all but {@code environment.json} is a
 * function of the experiment alone. Complete once closed. Confined to one thread.
 */
final class SimulationFiles implements AutoCloseable {
  private final Path folder;
  private final SimulatedExperiment experiment;
  private final RowWriter<SummaryRow> summary;
  private final RowWriter<MetricRow> metrics;
  private final RowWriter<TimelineRow> timeline;
  private final Map<Path, Histograms.Log> logs = new LinkedHashMap<>();

  SimulationFiles(Path folder, SimulatedExperiment experiment) throws IOException {
    this.folder = folder;
    this.experiment = experiment;
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("experiment.yaml"), experiment.text());
    summary = RowWriter.create(folder, SummaryRow.FORMAT);
    metrics = RowWriter.create(folder, MetricRow.FORMAT);
    timeline = RowWriter.create(folder, TimelineRow.FORMAT);
  }

  /** An arm at a load. */
  void played(Played played) throws IOException {
    for (SummaryRow row : played.summaries()) {
      summary.append(row);
    }
    metrics(played);
    boolean manyLoads = experiment.loads().size() > 1;
    String load = played.key().load();
    for (Map.Entry<Long, Outcome> one : played.bySeed().entrySet()) {
      String seed = Long.toString(one.getKey());
      for (Point point : one.getValue().timeline()) {
        String entity = manyLoads ? point.entity() + "@" + load : point.entity();
        timeline.append(
            new TimelineRow(
                played.key().arm(),
                seed,
                "1",
                point.seconds(),
                entity,
                point.metric(),
                point.value()));
      }
      String tag = "s" + seed + "r1";
      log(played, one.getValue(), manyLoads ? load.replaceAll("[,\\s]", "_") + ";" + tag : tag);
    }
    summary.flush();
    metrics.flush();
  }

  /** A point of a sweep. */
  void metrics(Played played) throws IOException {
    for (MetricRow row : played.metrics()) {
      metrics.append(row);
    }
  }

  private void log(Played played, Outcome outcome, String tag) throws IOException {
    for (RequestClass one : outcome.classes().keySet()) {
      Path file = Histograms.logFile(folder, played.key().arm(), one.label());
      Histograms.Log log = logs.get(file);
      if (log == null) {
        log = Histograms.log(file, experiment.name() + " " + played.key().arm());
        logs.put(file, log);
      }
      log.append(tag, 0, outcome.windowNanos() / 1e9, outcome.classes().get(one).nanos());
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
