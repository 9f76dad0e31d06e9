/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cache;

import dev.manx.simulator.Outcome.Point;
import dev.manx.simulator.cache.CacheOutcome;
import dev.manx.workload.result.ResultFolder;
import dev.manx.workload.result.RowKey;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The result folder of an experiment on divided caches being written: all but {@code
 * environment.json} is a function of the experiment alone. Complete once closed.
 */
final class CacheFiles implements AutoCloseable {
  private static final String ROUND = "1";

  private final ResultFolder files;
  private final CacheExperiment experiment;

  CacheFiles(Path folder, CacheExperiment experiment) throws IOException {
    this.experiment = experiment;
    files = new ResultFolder(folder, experiment.name(), experiment.text());
  }

  /** All arms and seeds of a scenario. */
  void played(PlayedScenario played) throws IOException {
    files.summaries(played.summaries());
    files.metrics(played.metrics());
    files.metrics(played.marks());
    for (Map.Entry<String, Map<Long, CacheOutcome>> arm : played.outcomes().entrySet()) {
      for (Map.Entry<Long, CacheOutcome> seed : arm.getValue().entrySet()) {
        write(played.load(), arm.getKey(), seed.getKey(), seed.getValue());
      }
    }
    files.flush();
  }

  private void write(String load, String arm, long seed, CacheOutcome outcome) throws IOException {
    boolean many = experiment.scenarios().size() > 1;
    for (Point point : outcome.timeline()) {
      files.timeline(
          new TimelineRow(
              arm,
              Long.toString(seed),
              ROUND,
              point.seconds(),
              many ? point.entity() + "@" + load : point.entity(),
              point.metric(),
              point.value()));
    }
    String tag = "s" + seed + "r" + ROUND;
    files
        .log(arm, RowKey.ALL)
        .append(many ? load + ";" + tag : tag, 0, outcome.windowSeconds(), outcome.requests());
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
