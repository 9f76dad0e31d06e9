/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.live;

import dev.manx.lab.run.Pool;
import dev.manx.load.LoadResult;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.ResultFolder;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The result folder being written; complete once closed. Confined to one thread. */
final class LiveFiles implements AutoCloseable {
  private final ResultFolder files;
  private final LiveExperiment experiment;

  LiveFiles(Path folder, LiveExperiment experiment, Environment environment) throws IOException {
    this.experiment = experiment;
    files = new ResultFolder(folder, experiment.name(), experiment.text());
    files.environment(environment);
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
    files.summaries(result.summaries(key));
    files.metrics(key, values);
    files.timeline(looks);
    files
        .log(key.arm(), RequestClass.ALL.label())
        .append(
            "s" + key.seed() + "r" + key.round(),
            startSeconds,
            startSeconds + result.windowSeconds(),
            result.all().latencyNanos());
    files.flush();
  }

  void pooled(Pool pool) throws IOException {
    files.summaries(pool.summaries());
    for (MetricRow row : pool.metrics()) {
      files.metric(row);
      if (row.metric().equals("looks_beyond_goal_pct")) {
        files.metric(
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
    files.close();
  }
}
