/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.run;

import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentWriter;
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
final class ResultFiles implements AutoCloseable {
  private final ResultFolder files;
  private final Experiment experiment;

  ResultFiles(Path folder, Experiment experiment) throws IOException {
    this.experiment = experiment;
    files = new ResultFolder(folder, experiment.name(), ExperimentWriter.text(experiment));
  }

  void environment(Environment environment) throws IOException {
    files.environment(environment);
  }

  /** Everything of one turn. */
  void turn(Turn turn, LoadResult result, Map<String, Double> values, List<TimelineRow> looks)
      throws IOException {
    RowKey key = key(turn);
    files.summaries(result.summaries(key));
    files.metrics(key, values);
    files.timeline(looks);
    String tag = turn.tag(experiment.loads().size() > 1);
    for (RequestClass one : result.classes().keySet()) {
      files
          .log(turn.arm().name(), one.label())
          .append(
              tag,
              turn.startSeconds(),
              turn.startSeconds() + result.windowSeconds(),
              result.classes().get(one).latencyNanos());
    }
    files.flush();
  }

  void pooled(Pool pool) throws IOException {
    files.summaries(pool.summaries());
    files.metrics(pool.metrics());
  }

  /** One row beside the turns'. */
  void metric(MetricRow row) throws IOException {
    files.metric(row);
    files.flush();
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
    files.close();
  }
}
