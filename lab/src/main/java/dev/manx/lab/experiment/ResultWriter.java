/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.simulator.Outcome;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.ResultFolder;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The result folder of an experiment of any kind. A turn's rows are written as soon as it has
 * ended. Confined to one thread.
 */
final class ResultWriter<S, P> implements AutoCloseable {
  private final ResultFolder files;
  private final String name;
  private final boolean manyLoads;

  ResultWriter(Path folder, Experiment<S, P> experiment) throws IOException {
    name = experiment.head().name();
    manyLoads = experiment.loads().size() > 1;
    files = new ResultFolder(folder, name, experiment.text());
  }

  void environment(Environment environment) throws IOException {
    files.environment(environment);
  }

  /** The last turn of a pool. */
  void turn(Pool<S, P> pool, Turn<S, P> turn, Measured measured) throws IOException {
    RowKey key = turn.key(name);
    if (turn.point().summarised()) {
      files.summaries(pool.summaries(turn));
      timeline(turn, measured);
      // Bands on the timelines, which the points of a sweep do not have.
      marks(key, measured.marks());
      logs(turn, measured);
    }
    for (Measured.Metric metric : measured.metrics()) {
      files.metric(row(key, pool.params(metric.params()), metric.name(), metric.value()));
    }
    files.flush();
  }

  /** All turns of a seed. */
  void seed(Pool<S, P> pool, long seed) throws IOException {
    if (pool.point().summarised()) {
      files.summaries(pool.summaries(seed));
    }
    files.metrics(pool.metrics(seed));
  }

  /** All turns. */
  void all(Pool<S, P> pool) throws IOException {
    if (pool.point().summarised()) {
      files.summaries(pool.summaries());
    }
    files.metrics(pool.metrics());
    files.flush();
  }

  void metrics(List<MetricRow> rows) throws IOException {
    files.metrics(rows);
    files.flush();
  }

  /** Writes the facts about a point that are known in advance, for all arms. */
  void marks(Point<S, P> point) throws IOException {
    marks(
        new RowKey(name, RowKey.ALL, point.requestClass(), point.load(), RowKey.ALL, RowKey.ALL),
        point.marks());
  }

  private void marks(RowKey key, List<Measured.Mark> marks) throws IOException {
    for (Measured.Mark mark : marks) {
      files.metric(row(key, mark.params(), Measured.Mark.METRIC, 1));
    }
  }

  private static MetricRow row(RowKey key, String params, String name, double value) {
    return new MetricRow(key, params, name, value, Double.NaN, Double.NaN);
  }

  /**
   * Rows of a timeline have no columns for load and class; if there are several, the entity
   * includes them.
   */
  private void timeline(Turn<S, P> turn, Measured measured) throws IOException {
    for (Outcome.Point moment : measured.timeline()) {
      files.timeline(
          new TimelineRow(
              turn.arm().name(),
              Long.toString(turn.seed()),
              Integer.toString(turn.round()),
              moment.seconds(),
              manyLoads ? LoadTag.ofEntity(moment.entity(), turn.point().load()) : moment.entity(),
              moment.metric(),
              moment.value()));
    }
  }

  private void logs(Turn<S, P> turn, Measured measured) throws IOException {
    String own = "s" + turn.seed() + "r" + turn.round();
    String tag = manyLoads ? LoadTag.ofLog(turn.point().load(), own) : own;
    for (Map.Entry<String, Measured.Latency> one : measured.classes().entrySet()) {
      files
          .log(turn.arm().name(), one.getKey())
          .append(
              tag,
              measured.startSeconds(),
              measured.startSeconds() + measured.windowSeconds(),
              one.getValue().nanos());
    }
  }

  /** Ends the files after the last row. */
  void complete() throws IOException {
    files.complete();
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
