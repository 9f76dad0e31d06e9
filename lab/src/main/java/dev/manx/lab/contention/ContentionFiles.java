/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import dev.manx.contention.engine.RepetitionResult;
import dev.manx.lab.contention.ContentionExperiment.Squeeze;
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
import java.util.Locale;
import java.util.Map;

/**
 * The result folder being written; complete once closed. A case is a class. Turns with the
 * experiment's own number of threads have rows in {@code summary.csv}; other numbers are points of
 * a sweep and stand in {@code metrics.csv}. Confined to one thread.
 */
final class ContentionFiles implements AutoCloseable {
  private final Path folder;
  private final ContentionExperiment experiment;
  private final RowWriter<SummaryRow> summary;
  private final RowWriter<MetricRow> metrics;
  private final RowWriter<TimelineRow> timeline;
  private final Map<Path, Histograms.Log> logs = new LinkedHashMap<>();
  private final Pools pools;
  private double seconds;

  ContentionFiles(Path folder, ContentionExperiment experiment) throws IOException {
    this.folder = folder;
    this.experiment = experiment;
    pools = new Pools(experiment);
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("experiment.yaml"), experiment.text());
    summary = RowWriter.create(folder, SummaryRow.FORMAT);
    metrics = RowWriter.create(folder, MetricRow.FORMAT);
    timeline = RowWriter.create(folder, TimelineRow.FORMAT);
  }

  /** A turn that has ended. */
  void ended(Turn.Ended ended) throws IOException {
    Turn turn = ended.turn();
    RepetitionResult result = ended.result();
    pools.add(ended);
    RowKey key = Pools.key(experiment, turn);
    if (turn.threads() == experiment.threads()) {
      summary.append(Pools.summary(key, result));
      timeline(turn, result);
      log(turn, result);
    }
    for (MetricRow row : pools.metrics(ended)) {
      metrics.append(row);
    }
    mark(turn, result, key);
    seconds += result.windowSeconds();
    summary.flush();
    metrics.flush();
    timeline.flush();
  }

  /** The window in which priorities were raised, as it was. */
  private void mark(Turn turn, RepetitionResult result, RowKey key) throws IOException {
    if (turn.in().squeeze() == Squeeze.PINNED_NICE && turn.threads() == experiment.threads()) {
      String params =
          String.format(
              Locale.ROOT,
              "from=%.2f;to=%.2f;label=%s: %d of %d sessions at nice %d",
              result.boostedFrom(),
              result.boostedTo(),
              turn.in().squeeze().label(),
              experiment.boosted(turn.threads()),
              turn.threads(),
              experiment.nice());
      metrics.append(new MetricRow(key, params, "mark", 1, Double.NaN, Double.NaN));
    }
  }

  private void timeline(Turn turn, RepetitionResult result) throws IOException {
    for (RepetitionResult.Second second : result.seconds()) {
      point(turn, second.t(), "latency_mean_us", second.meanUs());
      point(turn, second.t(), "latency_p99_us", second.p99Us());
      point(turn, second.t(), "latency_max_us", second.maxUs());
      point(turn, second.t(), "throughput_per_s", second.answered());
    }
  }

  private void point(Turn turn, int second, String metric, double value) throws IOException {
    String entity = turn.in().squeeze().label();
    if (experiment.loads().size() > 1) {
      entity += "@" + turn.load().label();
    }
    timeline.append(
        new TimelineRow(
            turn.arm().name(),
            Long.toString(turn.seed()),
            Integer.toString(turn.round()),
            second,
            entity,
            metric,
            value));
  }

  private void log(Turn turn, RepetitionResult result) throws IOException {
    Path file = Histograms.logFile(folder, turn.arm().name(), turn.in().squeeze().label());
    Histograms.Log log = logs.get(file);
    if (log == null) {
      log = Histograms.log(file, experiment.name() + " " + turn.arm().name());
      logs.put(file, log);
    }
    String load = experiment.loads().size() > 1 ? "@" + turn.load().label() : "";
    log.append(
        "s" + turn.seed() + "r" + turn.round() + load,
        seconds,
        seconds + result.windowSeconds(),
        result.nanos());
  }

  /** After the last turn: what all turns together say. */
  void pooled() throws IOException {
    for (SummaryRow row : pools.summaries()) {
      summary.append(row);
    }
    for (MetricRow row : pools.metrics()) {
      metrics.append(row);
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
