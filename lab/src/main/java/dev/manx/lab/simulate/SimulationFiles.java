/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import dev.manx.simulator.Outcome;
import dev.manx.simulator.Outcome.Point;
import dev.manx.workload.RequestClass;
import dev.manx.workload.result.ResultFolder;
import dev.manx.workload.result.TimelineRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * The result folder of a simulated experiment being written: all but {@code environment.json} is a
 * function of the experiment alone. Complete once closed. Confined to one thread.
 */
final class SimulationFiles implements AutoCloseable {
  private final ResultFolder files;
  private final SimulatedExperiment experiment;

  SimulationFiles(Path folder, SimulatedExperiment experiment) throws IOException {
    this.experiment = experiment;
    files = new ResultFolder(folder, experiment.name(), experiment.text());
  }

  /** An arm at a load. */
  void played(Played played) throws IOException {
    files.summaries(played.summaries());
    metrics(played);
    boolean manyLoads = experiment.loads().size() > 1;
    String load = played.key().load();
    for (Map.Entry<Long, Outcome> one : played.bySeed().entrySet()) {
      String seed = Long.toString(one.getKey());
      for (Point point : one.getValue().timeline()) {
        String entity = manyLoads ? point.entity() + "@" + load : point.entity();
        files.timeline(
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
    files.flush();
  }

  /** A point of a sweep. */
  void metrics(Played played) throws IOException {
    files.metrics(played.metrics());
  }

  private void log(Played played, Outcome outcome, String tag) throws IOException {
    for (RequestClass one : outcome.classes().keySet()) {
      files
          .log(played.key().arm(), one.label())
          .append(tag, 0, outcome.windowNanos() / 1e9, outcome.classes().get(one).nanos());
    }
  }

  @Override
  public void close() throws IOException {
    files.close();
  }
}
