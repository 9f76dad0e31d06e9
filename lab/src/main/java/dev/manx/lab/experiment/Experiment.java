/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * An experiment of any kind, resolved: every setting has a value, and no process has been started.
 *
 * @param head the part common to all kinds
 * @param points points measured separately, in the order of the files
 * @param order order of the turns
 * @param quiet rule for repeating a turn
 * @param effort duration or size, for its announcement
 * @param text of {@code experiment.yaml}; reading it gives this experiment
 * @param stage starts its environment
 */
public record Experiment<S, P>(
    Head head,
    List<Point<S, P>> points,
    Order order,
    Quiet quiet,
    String effort,
    String text,
    Stage<S, P> stage) {
  public enum Order {
    /** One turn at a time, in interleaved rounds, each in a different random order. */
    INTERLEAVED,
    /** In parallel on all cores: the machine is not measured. */
    SIDE_BY_SIDE
  }

  /** Starts the environment of an experiment. */
  @FunctionalInterface
  public interface Stage<S, P> {
    /**
     * Starts everything; blocking.
     *
     * @param progress receives a line for each step
     * @throws RunException if a start fails
     */
    Player<S, P> open(Progress progress) throws InterruptedException, IOException;

    /** Jars of Manx that its nodes load: another build of them ends the run. */
    default List<Path> jarsOfNodes() {
      return List.of();
    }

    /** A stage whose nodes load jars of Manx. */
    static <S, P> Stage<S, P> withNodes(List<Path> jars, Stage<S, P> stage) {
      return new Stage<>() {
        @Override
        public Player<S, P> open(Progress progress) throws InterruptedException, IOException {
          return stage.open(progress);
        }

        @Override
        public List<Path> jarsOfNodes() {
          return jars;
        }
      };
    }
  }

  public Experiment {
    points = List.copyOf(points);
  }

  /**
   * Runs it, and writes the result files to a folder; blocking.
   *
   * @param revision of the project, for the result
   * @param out receives all files except the report; an interrupted run of this experiment
   *     continues there
   * @throws RunException if a start fails, a turn is aborted or a file cannot be written
   */
  public void run(String revision, Progress progress, Path out) throws InterruptedException {
    new ExperimentRun<>(this, revision, progress).run(out);
  }

  /** All turns in the order of execution or output. */
  public List<Turn<S, P>> turns() {
    return order == Order.SIDE_BY_SIDE ? Rounds.byArm(this) : Rounds.interleaved(this);
  }

  /** The only point without a sweep. */
  List<Point<S, P>> summarised() {
    return points.stream().filter(Point::summarised).toList();
  }

  /** The loads in the order of the files. */
  public List<String> loads() {
    return summarised().stream().map(Point::load).distinct().toList();
  }
}
