/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.settings.Section;
import dev.manx.local.cluster.ManxHome;
import java.nio.file.Path;
import java.util.List;

/**
 * A kind of experiment, named by {@code on:} in experiment files.
 *
 * @param words its name and its words in the report
 * @param summary what it measures, in a line
 * @param settings the keys of such files
 * @param modules whose code such an experiment measures or plays, apart from the lab's own
 * @param reader of such files
 */
record Kind(
    KindWords words, String summary, Section settings, List<String> modules, Reader reader) {
  interface Reader {
    /**
     * Reads a file and applies the choices of the command line; starts no processes.
     *
     * @param work folder for its files during a run
     * @throws dev.manx.policy.config.ConfigException if a setting is invalid
     */
    Experiment<?, ?> read(ExperimentSource source, ManxHome home, Path work);
  }
}
