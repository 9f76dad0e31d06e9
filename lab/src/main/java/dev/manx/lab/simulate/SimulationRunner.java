/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.run.Progress;
import dev.manx.lab.run.RunException;
import dev.manx.lab.simulate.SimulatedExperiment.Point;
import dev.manx.lab.simulate.SimulatedExperiment.SimulatedArm;
import dev.manx.simulator.Check;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.Simulation;
import dev.manx.workload.result.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs a simulated experiment: one simulation per thread on all cores, results written in the order
 * of the file whatever ended first.
 */
public final class SimulationRunner {
  private final SimulatedExperiment experiment;
  private final String revision;
  private final Progress progress;

  private SimulationRunner(SimulatedExperiment experiment, String revision, Progress progress) {
    this.experiment = experiment;
    this.revision = revision;
    this.progress = progress;
  }

  /**
   * Reads a file and applies what the command line chose.
   *
   * @param revision of the project, for the result
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public static SimulationRunner read(
      Path file, Choices choices, String revision, Progress progress) {
    return new SimulationRunner(SimulationReader.read(file, choices), revision, progress);
  }

  /** The experiment's name. */
  public String name() {
    return experiment.name();
  }

  /** The experiment as {@code experiment.yaml} has it. */
  public String resolved() {
    return experiment.text();
  }

  /** One simulation under way. */
  private record Turn(Played played, long seed, boolean swept, Future<Outcome> outcome) {}

  /**
   * Plays everything; blocking.
   *
   * @param out gets the result files
   * @throws RunException if a run breaks off or the files cannot be written
   */
  public void run(Path out) throws InterruptedException {
    Instant start = Instant.now();
    ExecutorService threads =
        Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try (SimulationFiles files = new SimulationFiles(out, experiment)) {
      Tally tally = new Tally(progress);
      List<Turn> turns = new ArrayList<>(turns(experiment, "", threads, tally));
      for (Point point : experiment.points()) {
        turns.addAll(turns(point.experiment(), point.params(), threads, tally));
      }
      tally.expect(turns.size());
      progress.step(plan(turns.size()));
      write(turns, files, tally);
      Environment.capture(start, revision, Environments.settings(experiment, tally)).write(out);
      tally.end();
    } catch (IOException e) {
      throw new RunException("cannot write results to " + out + ": " + e.getMessage(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private String plan(int runs) {
    return String.format(
        "%s: %d arms, loads %s, %d seeds, %d points of a sweep: %d runs of %,d requests on %d cores",
        experiment.name(),
        experiment.arms().size(),
        String.join(" ", experiment.loads().stream().map(Load::label).toList()),
        experiment.seeds().size(),
        experiment.points().size(),
        runs,
        experiment.requests(),
        Runtime.getRuntime().availableProcessors());
  }

  private List<Turn> turns(
      SimulatedExperiment one, String params, ExecutorService threads, Tally tally) {
    List<Turn> turns = new ArrayList<>();
    for (Load load : one.loads()) {
      for (SimulatedArm arm : one.arms()) {
        Played played = new Played(one.name(), arm.name(), load.label(), params);
        for (long seed : one.seeds()) {
          Future<Outcome> outcome =
              threads.submit(
                  () -> {
                    Outcome ended =
                        new Simulation(
                                one.model(), one.source(), arm.document(), one.run(load, seed))
                            .run();
                    tally.ended(played.key(), params, seed, ended);
                    return ended;
                  });
          turns.add(new Turn(played, seed, !params.isEmpty(), outcome));
        }
      }
    }
    return turns;
  }

  /** Waits for each in turn, and writes an arm at a load once all its seeds are there. */
  private void write(List<Turn> turns, SimulationFiles files, Tally tally)
      throws IOException, InterruptedException {
    for (int i = 0; i < turns.size(); i++) {
      Turn turn = turns.get(i);
      Outcome outcome = outcome(turn);
      for (Check check : outcome.checks()) {
        tally.check(turn.played().key(), turn.seed(), check);
      }
      turn.played().add(turn.seed(), outcome);
      boolean last = i + 1 == turns.size() || turns.get(i + 1).played() != turn.played();
      if (last && turn.swept()) {
        files.metrics(turn.played());
      } else if (last) {
        files.played(turn.played());
      }
      turns.set(i, null);
    }
  }

  private static Outcome outcome(Turn turn) throws InterruptedException {
    try {
      return turn.outcome().get();
    } catch (ExecutionException e) {
      throw new RunException(
          turn.played().key().arm()
              + " at "
              + turn.played().key().load()
              + ", seed "
              + turn.seed()
              + ": "
              + e.getCause(),
          e.getCause());
    }
  }
}
