/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.ExperimentSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Reads experiment files as the command line does. */
final class ClusterFiles {
  private ClusterFiles() {}

  static ClusterExperiment read(Path file, Choices choices) {
    return ClusterExperimentReader.read(ExperimentSource.of(file, choices));
  }

  static ClusterExperiment read(Path file, Map<String, String> settings) {
    return read(file, new Choices(settings, List.of(), false));
  }

  /** A text in place of a file, whose folder has the files that the text names. */
  static ClusterExperiment parse(Path file, String text, Map<String, String> settings) {
    Choices choices = new Choices(settings, List.of(), false);
    return ClusterExperimentReader.read(new ExperimentSource(file, text, choices));
  }
}
