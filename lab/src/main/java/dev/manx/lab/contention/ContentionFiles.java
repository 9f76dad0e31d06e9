/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import dev.manx.contention.engine.RepetitionResult;
import dev.manx.lab.contention.ContentionExperiment.Squeeze;
import dev.manx.workload.result.MetricRow;
import dev.manx.workload.result.ResultFolder;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The result folder being written; complete once closed. A case is a class. Turns with the
 * experiment's own number of threads have rows in {@code summary.csv}; other numbers are points of
 * a sweep and stand in {@code metrics.csv}. Confined to one thread.
 */
final class ContentionFiles implements AutoCloseable {
  private final ResultFolder files;
  private final ContentionExperiment experiment;
  private final Pools pools;
  private double seconds;

  ContentionFiles(Path folder, ContentionExperiment experiment) throws IOException {
    this.experiment = experiment;
    pools = new Pools(experiment);
    files = new ResultFolder(folder, experiment.name(), experiment.text());
  }

  /** A turn that has ended. */
  void ended(Turn.Ended ended) throws IOException {
    Turn turn = ended.turn();
    RepetitionResult result = ended.result();
    pools.add(ended);
    RowKey key = Pools.key(experiment, turn);
    if (turn.threads() == experiment.threads()) {
      files.summary(Pools.summary(key, result));
      timeline(turn, result);
      log(turn, result);
    }
    files.metrics(pools.metrics(ended));
    mark(turn, result, key);
    seconds += result.windowSeconds();
    files.flush();
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
      files.metric(new MetricRow(key, params, "mark", 1, Double.NaN, Double.NaN));
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
    files.timeline(
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
    String load = experiment.loads().size() > 1 ? "@" + turn.load().label() : "";
    files
        .log(turn.arm().name(), turn.in().squeeze().label())
        .append(
            "s" + turn.seed() + "r" + turn.round() + load,
            seconds,
            seconds + result.windowSeconds(),
            result.nanos());
  }

  /** After the last turn: what all turns together say. */
  void pooled() throws IOException {
    files.summaries(pools.summaries());
    files.metrics(pools.metrics());
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
