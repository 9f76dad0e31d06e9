/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * An experiment of any kind, resolved: every setting has its value, and nothing has been started.
 *
 * @param head what it says as every kind does
 * @param points what is measured apart, in the order of the files
 * @param order how turns follow each other
 * @param quiet when a turn is played again
 * @param effort how long or how much, for the line that announces it
 * @param text of {@code experiment.yaml}; reading it gives this experiment
 * @param stage starts what it runs on
 */
public record Experiment<S, P>(
    Head head,
    List<Point<S, P>> points,
    Order order,
    Quiet quiet,
    String effort,
    String text,
    Stage<S, P> stage) {
  /** How turns follow each other. */
  public enum Order {
    /** Alone, in interleaved rounds, each in a random order of its own. */
    INTERLEAVED,
    /** Side by side on all cores: nothing of the machine is measured. */
    SIDE_BY_SIDE
  }

  /** Starts what an experiment runs on. */
  @FunctionalInterface
  public interface Stage<S, P> {
    /**
     * Starts everything; blocking.
     *
     * @param progress gets a line for each step
     * @throws RunException if something does not come up
     */
    Player<S, P> open(Progress progress) throws InterruptedException, IOException;
  }

  /** Copies the list. */
  public Experiment {
    points = List.copyOf(points);
  }

  /**
   * Runs it, and leaves the result files in a folder; blocking.
   *
   * @param revision of the project, for the result
   * @param out gets all files but the report; an interrupted run of the same continues there
   * @throws RunException if something does not come up, a turn breaks off or a file cannot be
   *     written
   */
  public void run(String revision, Progress progress, Path out) throws InterruptedException {
    new ExperimentRun<>(this, revision, progress).run(out);
  }

  /** All turns in the order in which they are played or written. */
  public List<Turn<S, P>> turns() {
    return order == Order.SIDE_BY_SIDE ? Rounds.byArm(this) : Rounds.interleaved(this);
  }

  /** The points of no sweep. */
  List<Point<S, P>> summarised() {
    return points.stream().filter(Point::summarised).toList();
  }

  /** The loads, in the order of the files. */
  public List<String> loads() {
    return summarised().stream().map(Point::load).distinct().toList();
  }
}
