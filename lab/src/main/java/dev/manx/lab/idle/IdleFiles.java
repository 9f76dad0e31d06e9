/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.idle;

import dev.manx.lab.experiment.Load;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.RowWriter;
import dev.manx.workload.result.SummaryRow;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The result folder of such an experiment being written. Confined to one thread. */
final class IdleFiles implements AutoCloseable {
  private final Path folder;
  private final IdleExperiment experiment;
  private final RowWriter<SummaryRow> summary;
  private final RowWriter<MetricRow> metrics;
  private final RowWriter<TimelineRow> timeline;
  private final Map<Path, Histograms.Log> logs = new LinkedHashMap<>();
  private final Bootstrap bootstrap = Bootstrap.standard();

  IdleFiles(Path folder, IdleExperiment experiment) throws IOException {
    this.folder = folder;
    this.experiment = experiment;
    Files.createDirectories(folder);
    Files.writeString(folder.resolve("experiment.yaml"), experiment.text());
    summary = RowWriter.create(folder, SummaryRow.FORMAT);
    metrics = RowWriter.create(folder, MetricRow.FORMAT);
    timeline = RowWriter.create(folder, TimelineRow.FORMAT);
  }

  /** Everything of one turn. */
  void turn(IdleTurnResult turn, Load load) throws IOException {
    Histogram latency = turn.result().latencyNanos();
    summary.append(turn.summary(turn.key(), latency));
    for (Map.Entry<String, Double> metric : turn.metrics().entrySet()) {
      metrics.append(MetricRow.of(turn.key(), metric.getKey(), metric.getValue()));
    }
    for (MetricRow mark : turn.marks(experiment.squeeze().nice())) {
      metrics.append(mark);
    }
    boolean manyLoads = experiment.loads().size() > 1;
    for (TimelineRow row : turn.timeline(manyLoads ? "@" + load.label() : "")) {
      timeline.append(row);
    }
    String own = "s" + turn.key().seed() + "r" + turn.key().round();
    String tag = manyLoads ? load.label() + ";" + own : own;
    for (String one : List.of(turn.which().label(), RowKey.ALL)) {
      log(turn.key().arm(), one)
          .append(tag, turn.startSeconds(), turn.startSeconds() + turn.windowSeconds(), latency);
    }
    summary.flush();
    metrics.flush();
    timeline.flush();
  }

  private Histograms.Log log(String arm, String requestClass) throws IOException {
    Path file = Histograms.logFile(folder, arm, requestClass);
    Histograms.Log log = logs.get(file);
    if (log == null) {
      log = Histograms.log(file, experiment.name() + " " + arm);
      logs.put(file, log);
    }
    return log;
  }

  /** One round of an arm in all its cases together: class {@code all}. */
  void allCases(List<IdleTurnResult> turns) throws IOException {
    summary.append(pooled(turns.get(0).key().withClass(RowKey.ALL), turns));
  }

  /** Rows {@code round=all} of each seed and of all, for every case and for all together. */
  void pooled(List<IdleTurnResult> armAtLoad) throws IOException {
    Map<String, List<IdleTurnResult>> byClass = new LinkedHashMap<>();
    byClass.put(RowKey.ALL, armAtLoad);
    for (IdleTurnResult turn : armAtLoad) {
      byClass.computeIfAbsent(turn.which().label(), k -> new ArrayList<>()).add(turn);
    }
    for (Map.Entry<String, List<IdleTurnResult>> one : byClass.entrySet()) {
      Map<String, List<IdleTurnResult>> bySeed = new TreeMap<>();
      for (IdleTurnResult turn : one.getValue()) {
        bySeed.computeIfAbsent(turn.key().seed(), k -> new ArrayList<>()).add(turn);
      }
      bySeed.put(RowKey.ALL, one.getValue());
      for (Map.Entry<String, List<IdleTurnResult>> seed : bySeed.entrySet()) {
        RowKey key =
            armAtLoad
                .get(0)
                .key()
                .withClass(one.getKey())
                .withSeed(seed.getKey())
                .withRound(RowKey.ALL);
        summary.append(pooled(key, seed.getValue()));
        if (!one.getKey().equals(RowKey.ALL)) {
          metrics(key, seed.getValue());
        }
      }
    }
  }

  private SummaryRow pooled(RowKey key, List<IdleTurnResult> turns) {
    Histogram sum = Histograms.create();
    double[] p99 = new double[turns.size()];
    for (int i = 0; i < p99.length; i++) {
      Histogram one = turns.get(i).result().latencyNanos();
      sum.add(one);
      p99[i] = Histograms.percentileUs(one, 99);
    }
    SummaryRow row =
        SummaryRow.of(
            key,
            turns.stream().mapToLong(turn -> turn.result().offered()).sum(),
            turns.stream().mapToLong(turn -> turn.result().notDone()).sum(),
            0,
            turns.stream()
                .mapToDouble(turn -> turn.result().throughputPerSecond())
                .average()
                .orElse(0),
            sum);
    if (key.requestClass().equals(RowKey.ALL)) {
      return row; // turns of different cases have no common P99 to be sure of
    }
    Estimate over = bootstrap.median(p99);
    return row.withP99Interval(over.lo(), over.hi());
  }

  /** Medians over rounds with their intervals. */
  private void metrics(RowKey key, List<IdleTurnResult> turns) throws IOException {
    Map<String, List<Double>> values = new LinkedHashMap<>();
    for (IdleTurnResult turn : turns) {
      turn.metrics()
          .forEach((name, v) -> values.computeIfAbsent(name, k -> new ArrayList<>()).add(v));
    }
    for (Map.Entry<String, List<Double>> metric : values.entrySet()) {
      Estimate over =
          bootstrap.median(metric.getValue().stream().mapToDouble(Double::doubleValue).toArray());
      metrics.append(new MetricRow(key, "", metric.getKey(), over.value(), over.lo(), over.hi()));
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
