/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import dev.manx.workload.result.MetricRow;
import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The started environment of an experiment: nodes, backends, an engine, a model. One thread at a
 * time, unless turns are played in parallel.
 */
public interface Player<S, P> extends AutoCloseable {
  /**
   * Plays a turn to its end.
   *
   * @param now receives a line about the current state, for users
   */
  Measured play(Turn<S, P> turn, Consumer<String> now) throws InterruptedException, IOException;

  /** Whether an arm can be played here; others are left out. */
  default boolean has(Arm<S> arm) {
    return true;
  }

  /**
   * Measures what the turns depend on, once before the first turn.
   *
   * @param known the values of the interrupted run that this one continues; empty for a new run
   * @return values by name that a continued run gets
   */
  default Map<String, Double> calibrate(Map<String, Double> known)
      throws InterruptedException, IOException {
    return Map.of();
  }

  /**
   * States of the environment that a turn does not set, by name: an interrupted run continues only
   * where they are the same. Called once, before the first turn.
   */
  default Map<String, String> conditions() {
    return Map.of();
  }

  /**
   * The state that arms keep from round to round and lose in an interruption, in words; empty if
   * they do not keep any.
   */
  default String forgotten() {
    return "";
  }

  /** Brings the environment into the state for measuring an arm. */
  default void settle(Arm<S> arm) throws InterruptedException, IOException {}

  /** Describes the environment for the reader; called before the first turn and after the last. */
  default Map<String, String> environment() {
    return Map.of();
  }

  /** Metrics of an arm relative to the baseline in the same round; pooled with the others. */
  default Map<String, Double> overBaseline(Measured arm, Measured baseline) {
    return Map.of();
  }

  /**
   * Receives the result that counts for a turn: the quietest, if the turn was repeated because of
   * noise. Called before the next turn; not if turns are played in parallel.
   */
  default void counted(Turn<S, P> turn, Measured measured) {}

  /** Called when all turns of an arm at a point have been played. */
  default void played(Pool<S, P> pool) {}

  /**
   * Makes further measurements after all turns.
   *
   * @param rows receives rows of {@code metrics.csv}
   */
  default void further(Rows rows) throws InterruptedException, IOException {}

  /** Receives rows of {@code metrics.csv}. */
  @FunctionalInterface
  interface Rows {
    /** Writes a row at once. */
    void add(MetricRow row) throws IOException;
  }

  /** The amount of work done, for the line of progress; may be empty. */
  default String words() {
    return "";
  }

  @Override
  default void close() throws IOException {}
}
