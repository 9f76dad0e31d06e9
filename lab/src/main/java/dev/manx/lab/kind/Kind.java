/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.settings.Section;
import dev.manx.local.cluster.ManxHome;
import java.nio.file.Path;

/**
 * What {@code on:} of an experiment file can name.
 *
 * @param words its name and what the report says of it
 * @param settings the keys of such files
 * @param reader of such files
 */
record Kind(KindWords words, Section settings, Reader reader) {
  /** Reads the files of a kind. */
  interface Reader {
    /**
     * Reads a file and applies what the command line chose; starts nothing.
     *
     * @param work where it keeps files while it runs
     * @throws dev.manx.policy.config.ConfigException if anything is refused
     */
    Experiment<?, ?> read(ExperimentSource source, ManxHome home, Path work);
  }
}
