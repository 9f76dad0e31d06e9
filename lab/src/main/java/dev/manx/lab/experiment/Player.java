/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.workload.result.MetricRow;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Everything that an experiment runs on, started and ready: nodes, backends, an engine, a model.
 * One thread at a time, unless turns are played side by side.
 */
public interface Player<S, P> extends AutoCloseable {
  /**
   * Plays a turn to its end.
   *
   * @param now gets a line about the current state, for people
   */
  Measured play(Turn<S, P> turn, Consumer<String> now) throws InterruptedException, IOException;

  /** Whether an arm can be played here; one that cannot is left out. */
  default boolean has(Arm<S> arm) {
    return true;
  }

  /** Gets what an arm runs on into the state in which it is to be measured. */
  default void settle(Arm<S> arm) throws InterruptedException, IOException {}

  /** The environment, for the reader; asked for before the first turn and after the last. */
  default Map<String, String> environment() {
    return Map.of();
  }

  /** Metrics of an arm relative to the baseline in the same round; pooled with the others. */
  default Map<String, Double> overBaseline(Measured arm, Measured baseline) {
    return Map.of();
  }

  /**
   * The result of a turn that counts: of one that was played again because of noise, the quietest.
   * Called before the next turn is played; not where turns are played side by side.
   */
  default void counted(Turn<S, P> turn, Measured measured) {}

  /** All turns of an arm at a point have been played. */
  default void played(Pool<S, P> pool) {}

  /**
   * Measures what is no turn, after all of them.
   *
   * @param rows gets rows of {@code metrics.csv}
   */
  default void further(Rows rows) throws InterruptedException, IOException {}

  /** Gets rows of {@code metrics.csv}. */
  @FunctionalInterface
  interface Rows {
    /** Writes a row at once. */
    void add(MetricRow row) throws IOException;
  }

  /** How much has been done, for the line of progress; may be empty. */
  default String words() {
    return "";
  }

  @Override
  default void close() throws IOException {}
}
