/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.idle;

import dev.manx.lab.experiment.Load;
import dev.manx.lab.stats.Bootstrap;
import dev.manx.lab.stats.Estimate;
import dev.manx.lab.stats.PooledResult;
import dev.manx.workload.result.Histograms;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.ResultFolder;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.SummaryRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** The result folder of such an experiment being written. Confined to one thread. */
final class IdleFiles implements AutoCloseable {
  private final ResultFolder files;
  private final IdleExperiment experiment;
  private final Bootstrap bootstrap = Bootstrap.standard();

  IdleFiles(Path folder, IdleExperiment experiment) throws IOException {
    this.experiment = experiment;
    files = new ResultFolder(folder, experiment.name(), experiment.text());
  }

  /** Everything of one turn. */
  void turn(IdleTurnResult turn, Load load) throws IOException {
    Histogram latency = turn.result().latencyNanos();
    files.summary(turn.summary(turn.key(), latency));
    files.metrics(turn.key(), turn.metrics());
    files.metrics(turn.marks(experiment.squeeze().nice()));
    boolean manyLoads = experiment.loads().size() > 1;
    files.timeline(turn.timeline(manyLoads ? "@" + load.label() : ""));
    String own = "s" + turn.key().seed() + "r" + turn.key().round();
    String tag = manyLoads ? load.label() + ";" + own : own;
    for (String one : List.of(turn.which().label(), RowKey.ALL)) {
      files
          .log(turn.key().arm(), one)
          .append(tag, turn.startSeconds(), turn.startSeconds() + turn.windowSeconds(), latency);
    }
    files.flush();
  }

  /** One round of an arm in all its cases together: class {@code all}. */
  void allCases(List<IdleTurnResult> turns) throws IOException {
    files.summary(pooled(turns.get(0).key().withClass(RowKey.ALL), turns));
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
        files.summary(pooled(key, seed.getValue()));
        if (!one.getKey().equals(RowKey.ALL)) {
          metrics(key, seed.getValue());
        }
      }
    }
  }

  private SummaryRow pooled(RowKey key, List<IdleTurnResult> turns) {
    List<Histogram> latencies = turns.stream().map(turn -> turn.result().latencyNanos()).toList();
    Histogram sum = Histograms.create();
    latencies.forEach(sum::add);
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
    Estimate over = PooledResult.p99Us(latencies, bootstrap);
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
      files.metric(new MetricRow(key, "", metric.getKey(), over.value(), over.lo(), over.hi()));
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
