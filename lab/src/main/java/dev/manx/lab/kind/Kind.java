/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.run.Progress;
import java.io.IOException;
import java.nio.file.Path;

/**
 * What {@code on:} of an experiment file can name: reads such a file and runs it.
 *
 * @param words its name and what the report says of it
 * @param reader of such files
 */
public record Kind(KindWords words, Reader reader) {
  /** Reads the files of a kind. */
  public interface Reader {
    /**
     * Reads a file and applies what the command line chose; starts nothing.
     *
     * @throws dev.manx.policy.config.ConfigException if anything is refused
     */
    Ready read(Path file, Choices choices, ManxHome home, Progress progress);
  }

  /**
   * An experiment that was read and can be run once.
   *
   * @param name as it stands in the result files
   * @param resolved the experiment as {@code experiment.yaml} will have it
   * @param action runs it to its end
   */
  public record Ready(String name, String resolved, Action action) {}

  /** Runs an experiment and leaves the result files, all but the report, in a folder. */
  public interface Action {
    void run(Path out) throws InterruptedException, IOException;
  }
}
