/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cache;

import dev.manx.lab.cache.CacheExperiment.CacheArm;
import dev.manx.lab.cache.CacheExperiment.NamedScenario;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.run.Progress;
import dev.manx.lab.run.RunException;
import dev.manx.simulator.Check;
import dev.manx.simulator.cache.CacheOutcome;
import dev.manx.simulator.cache.CacheSimulation;
import dev.manx.simulator.cache.CacheSimulation.Tables;
import dev.manx.workload.result.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Plays an experiment on divided caches: a run per thread on all cores. */
public final class CacheRunner {
  private final CacheExperiment experiment;
  private final String revision;
  private final Progress progress;
  private final Tables tables = new Tables();
  private final Map<Long, FutureTask<Map<String, Double>>> learnt = new HashMap<>();
  private final Map<String, String> notes = new LinkedHashMap<>();
  private int ended;
  private int expected;

  private CacheRunner(CacheExperiment experiment, String revision, Progress progress) {
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
  public static CacheRunner read(Path file, Choices choices, String revision, Progress progress) {
    return new CacheRunner(CacheReader.read(file, choices), revision, progress);
  }

  /** The experiment's name. */
  public String name() {
    return experiment.name();
  }

  /** The experiment as {@code experiment.yaml} has it. */
  public String resolved() {
    return experiment.text();
  }

  private record Turn(NamedScenario scenario, CacheArm arm, long seed, Future<CacheOutcome> end) {}

  /**
   * Plays everything; blocking.
   *
   * @param out gets the result files
   * @throws RunException if a run breaks off or the files cannot be written
   */
  public void run(Path out) throws InterruptedException {
    Instant start = Instant.now();
    int cores = Runtime.getRuntime().availableProcessors();
    ExecutorService threads = Executors.newFixedThreadPool(cores);
    try (CacheFiles files = new CacheFiles(out, experiment)) {
      List<Turn> turns = new ArrayList<>();
      expected =
          experiment.scenarios().size() * experiment.arms().size() * experiment.seeds().size();
      progress.step(
          String.format(
              Locale.ROOT,
              "%s: %d scenarios, %d arms, %d seeds: %d runs on %d cores",
              name(),
              experiment.scenarios().size(),
              experiment.arms().size(),
              experiment.seeds().size(),
              expected,
              cores));
      for (NamedScenario scenario : experiment.scenarios()) {
        for (CacheArm arm : experiment.arms()) {
          for (long seed : experiment.seeds()) {
            turns.add(
                new Turn(scenario, arm, seed, threads.submit(() -> play(scenario, arm, seed))));
          }
        }
      }
      write(turns, files);
      notes.put("on", "cache: virtual time, compressed by " + experiment.scale());
      Environment.capture(start, revision, notes).write(out);
    } catch (IOException e) {
      throw new RunException("cannot write results to " + out + ": " + e.getMessage(), e);
    } finally {
      threads.shutdownNow();
    }
  }

  private CacheOutcome play(NamedScenario scenario, CacheArm arm, long seed)
      throws InterruptedException, ExecutionException {
    Map<String, Double> initial = arm.learnt() ? learntShares(seed) : null;
    CacheOutcome outcome =
        new CacheSimulation(experiment.run(scenario, arm, seed, initial), tables).run();
    synchronized (this) {
      ended++;
      progress.now(
          String.format(
              Locale.ROOT,
              "%d/%d  (%s %s seed %d: %.1f s)",
              ended,
              expected,
              arm.name(),
              scenario.name(),
              seed,
              outcome.cost().wallNanos() / 1e9));
    }
    return outcome;
  }

  /** A reference run a seed, by whoever needs it first. */
  private Map<String, Double> learntShares(long seed)
      throws InterruptedException, ExecutionException {
    FutureTask<Map<String, Double>> task;
    synchronized (learnt) {
      task =
          learnt.computeIfAbsent(
              seed,
              s ->
                  new FutureTask<>(
                      () ->
                          new CacheSimulation(experiment.referenceRun(s), tables)
                              .run()
                              .meanShares()));
    }
    task.run();
    return task.get();
  }

  private void write(List<Turn> turns, CacheFiles files) throws IOException, InterruptedException {
    int perScenario = experiment.arms().size() * experiment.seeds().size();
    for (int first = 0; first < turns.size(); first += perScenario) {
      PlayedScenario played = new PlayedScenario(experiment, turns.get(first).scenario());
      for (Turn turn : turns.subList(first, first + perScenario)) {
        CacheOutcome outcome = outcome(turn);
        played.add(turn.arm().name(), turn.seed(), outcome);
        for (Check check : outcome.checks()) {
          check(turn, check);
        }
      }
      played.hitRatioChecks().forEach(this::note);
      played.violations().forEach(progress::step);
      files.played(played);
      turns.subList(first, first + perScenario).replaceAll(turn -> null);
    }
  }

  private void check(Turn turn, Check check) {
    String key = "check: " + check.name();
    if (!check.holds()) {
      notes.put(key, "FAILS: " + check.detail());
      progress.step(
          String.format(
              "CHECK FAILED: %s: %s (%s, %s, seed %d)",
              check.name(),
              check.detail(),
              turn.arm().name(),
              turn.scenario().name(),
              turn.seed()));
    } else {
      notes.putIfAbsent(key, "holds");
    }
  }

  private void note(String key, String text) {
    notes.put(key, text);
    progress.step(key + ": " + text);
  }

  private static CacheOutcome outcome(Turn turn) throws InterruptedException {
    try {
      return turn.end().get();
    } catch (ExecutionException e) {
      throw new RunException(
          String.format(
              "%s in %s, seed %d: %s",
              turn.arm().name(), turn.scenario().name(), turn.seed(), e.getCause()),
          e.getCause());
    }
  }
}
