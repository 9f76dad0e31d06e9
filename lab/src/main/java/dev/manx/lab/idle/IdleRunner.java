/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.idle;

import dev.manx.contention.idle.Case;
import dev.manx.contention.idle.IdleResult;
import dev.manx.contention.idle.IdleTurn;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.Target;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.idle.IdleExperiment.IdleArm;
import dev.manx.lab.run.ProcStat;
import dev.manx.lab.run.Progress;
import dev.manx.lab.run.RunException;
import dev.manx.policy.config.Units;
import dev.manx.workload.result.Environment;
import dev.manx.workload.result.RowKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * Runs an experiment {@code on: idle}: all arms in all cases, in interleaved rounds, each turn a
 * fresh process with the same operations at the same intended times.
 */
public final class IdleRunner {
  private final IdleExperiment experiment;
  private final String revision;
  private final Progress progress;
  private final long startNanos = System.nanoTime();

  private IdleRunner(IdleExperiment experiment, String revision, Progress progress) {
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
  public static IdleRunner read(Path file, Choices choices, String revision, Progress progress) {
    return new IdleRunner(IdleReader.read(file, choices), revision, progress);
  }

  /** The experiment's name. */
  public String name() {
    return experiment.name();
  }

  /** The experiment as {@code experiment.yaml} has it. */
  public String resolved() {
    return experiment.text();
  }

  /** One arm in one case. */
  private record Side(IdleArm arm, Case which) {}

  /**
   * Runs everything; blocking.
   *
   * @param out gets the result files
   * @param work where processes keep files while they run
   * @throws RunException if a process does not do its part
   * @throws SqueezeException if threads may not be squeezed here, before anything runs
   */
  public void run(Path out, Path work) throws InterruptedException {
    if (experiment.cases().contains(Case.PINNED_NICE) && !Proc.maySetPriorities()) {
      throw new SqueezeException(
          "case " + Case.PINNED_NICE.label() + " sets nice levels. " + Target.HOW_TO_PERMIT);
    }
    int turns =
        experiment.loads().size()
            * experiment.seeds().size()
            * experiment.rounds()
            * experiment.arms().size()
            * experiment.cases().size();
    double seconds = (experiment.load().warmUpNanos() + experiment.load().windowNanos()) / 1e9 + 1;
    progress.step(
        String.format(
            Locale.ROOT,
            "%s: %d arms in %d cases, %d rounds, loads %s: %d turns, some %.0f s%s",
            experiment.name(),
            experiment.arms().size(),
            experiment.cases().size(),
            experiment.rounds(),
            String.join(" ", experiment.loads().stream().map(Load::label).toList()),
            turns,
            turns * seconds,
            experiment.quick() ? " (quick: too short to be believed)" : ""));
    Instant start = Instant.now();
    try (IdleFiles files = new IdleFiles(out, experiment)) {
      Environment.capture(start, revision, settings()).write(out);
      int done = 0;
      for (Load load : experiment.loads()) {
        done = run(load, files, work, done, turns);
      }
    } catch (IOException e) {
      throw new RunException("cannot write results to " + out + ": " + e.getMessage(), e);
    }
  }

  private int run(Load load, IdleFiles files, Path work, int doneBefore, int turns)
      throws IOException, InterruptedException {
    IdleTurn runner = new IdleTurn(experiment.load(load), experiment.squeeze(), work);
    Map<String, List<IdleTurnResult>> byArm = new LinkedHashMap<>();
    experiment.arms().forEach(arm -> byArm.put(arm.name(), new ArrayList<>()));
    int done = doneBefore;
    for (long seed : experiment.seeds()) {
      for (int round = 1; round <= experiment.rounds(); round++) {
        for (Side side : shuffled(seed, round)) {
          progress.now(
              String.format(
                  "[%d/%d] %s  round %d of %d  %s  %s",
                  ++done,
                  turns,
                  load.label(),
                  round,
                  experiment.rounds(),
                  side.arm().name(),
                  side.which().label()));
          IdleTurnResult turn = measure(runner, side, load, seed, round);
          files.turn(turn, load);
          byArm.get(side.arm().name()).add(turn);
        }
        for (List<IdleTurnResult> all : byArm.values()) {
          int cases = experiment.cases().size();
          files.allCases(all.subList(all.size() - cases, all.size()));
        }
      }
    }
    for (List<IdleTurnResult> all : byArm.values()) {
      files.pooled(all);
    }
    return done;
  }

  /** Each round has its own random order, the same in every run of the same seed. */
  private List<Side> shuffled(long seed, int round) {
    List<Side> sides = new ArrayList<>();
    for (IdleArm arm : experiment.arms()) {
      for (Case which : experiment.cases()) {
        sides.add(new Side(arm, which));
      }
    }
    Collections.shuffle(sides, new Random(seed * 1_000_003 + round));
    return sides;
  }

  private IdleTurnResult measure(IdleTurn runner, Side side, Load load, long seed, int round)
      throws IOException, InterruptedException {
    List<CpuEdge> edges = new ArrayList<>();
    IdleResult result =
        runner.run(
            side.arm().idle().written(),
            side.which(),
            seed * 1_000_003 + round,
            pid -> edges.add(CpuEdge.of(pid)));
    RowKey key =
        new RowKey(
            experiment.name(),
            side.arm().name(),
            side.which().label(),
            load.label(),
            Long.toString(seed),
            Integer.toString(round));
    return new IdleTurnResult(
        key,
        side.which(),
        (edges.get(0).atNanos() - startNanos) / 1e9,
        experiment.load().windowNanos() / 1e9,
        result,
        CpuEdge.metrics(edges.get(0), edges.get(1), result.offered()));
  }

  private Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("on", "idle: threads of one JVM that now and then wait for each other");
    settings.put(
        "operation",
        Units.duration(experiment.load().workNanos())
            + " of processor time, during "
            + Units.duration(experiment.load().holdNanos())
            + " of which the other threads must wait for this one");
    settings.put("squeeze", experiment.squeeze().words());
    settings.put("threads", Integer.toString(experiment.load().threads()));
    experiment.arms().forEach(arm -> settings.put("arm " + arm.name(), arm.idle().written()));
    return settings;
  }

  /**
   * Processor time so far, at an edge of the window.
   *
   * @param workerSeconds of the worker's process
   * @param machine of the whole machine
   */
  private record CpuEdge(long atNanos, double workerSeconds, ProcStat.Machine machine) {
    static CpuEdge of(long pid) {
      return new CpuEdge(System.nanoTime(), ProcStat.processSeconds(pid), ProcStat.machine());
    }

    static Map<String, Double> metrics(CpuEdge from, CpuEdge to, long operations) {
      Map<String, Double> metrics = new LinkedHashMap<>();
      double all = (to.atNanos - from.atNanos) / 1e9 * Runtime.getRuntime().availableProcessors();
      double worker = to.workerSeconds - from.workerSeconds;
      double busy = to.machine.busySeconds() - from.machine.busySeconds();
      double steal = to.machine.stealSeconds() - from.machine.stealSeconds();
      metrics.put("cpu_us_per_operation", worker / Math.max(1, operations) * 1e6);
      metrics.put("cpu_pct_worker", 100 * worker / all);
      // Ticks of 10 ms do not add up exactly, so a little below 0 is 0.
      metrics.put("cpu_pct_foreign", 100 * Math.max(0, busy - worker) / all);
      metrics.put("cpu_pct_steal", 100 * steal / all);
      return metrics;
    }
  }
}
