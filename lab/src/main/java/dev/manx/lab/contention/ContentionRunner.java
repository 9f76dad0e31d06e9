/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.contention;

import dev.manx.contention.engine.DriverRun;
import dev.manx.contention.engine.EngineException;
import dev.manx.contention.engine.EngineStore;
import dev.manx.contention.engine.Permission;
import dev.manx.contention.engine.Repetition;
import dev.manx.contention.engine.Repetition.Engine;
import dev.manx.contention.engine.RepetitionResult;
import dev.manx.contention.engine.Told;
import dev.manx.lab.contention.ContentionExperiment.Case;
import dev.manx.lab.contention.ContentionExperiment.EngineArm;
import dev.manx.lab.contention.ContentionExperiment.Quiet;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.run.Progress;
import dev.manx.lab.run.RunException;
import dev.manx.workload.result.Environment;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Runs an experiment on a storage engine: builds the engine, then repetition after repetition. */
public final class ContentionRunner {
  private final ContentionExperiment experiment;
  private final String revision;
  private final Progress progress;
  private final EngineStore store;
  private final int machineCores = Runtime.getRuntime().availableProcessors();
  private int repeated;

  ContentionRunner(
      ContentionExperiment experiment, String revision, Progress progress, EngineStore store) {
    this.experiment = experiment;
    this.revision = revision;
    this.progress = progress;
    this.store = store;
  }

  /**
   * Reads a file and applies what the command line chose.
   *
   * @param revision of the project, for the result
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public static ContentionRunner read(
      Path file, Choices choices, String revision, Progress progress) {
    return new ContentionRunner(
        ContentionReader.read(file, choices), revision, progress, EngineStore.ofUser());
  }

  /** The experiment's name. */
  public String name() {
    return experiment.name();
  }

  /** The experiment as {@code experiment.yaml} has it. */
  public String resolved() {
    return experiment.text();
  }

  /**
   * Runs everything; blocking.
   *
   * @param out gets the result files
   * @throws RunException if the engine cannot be built, priorities cannot be set, or a run fails
   */
  public void run(Path out) throws InterruptedException {
    Instant start = Instant.now();
    try {
      if (experiment.cases().stream().anyMatch(one -> one.squeeze().boosts())) {
        Permission.require();
      }
      Map<String, Engine> engines = new Engines(store, told()).of(experiment.arms());
      List<EngineArm> arms =
          experiment.arms().stream().filter(arm -> engines.containsKey(arm.name())).toList();
      if (arms.isEmpty()) {
        throw new RunException("no arm is left to be run");
      }
      measure(out, start, engines, arms);
    } catch (EngineException e) {
      throw new RunException(e.getMessage(), e);
    } catch (IOException e) {
      throw new RunException("cannot write results to " + out + ": " + e.getMessage(), e);
    }
  }

  private void measure(Path out, Instant start, Map<String, Engine> engines, List<EngineArm> arms)
      throws IOException, InterruptedException {
    Map<Load, Double> rates = rates(engines.values().iterator().next());
    List<Turn> turns = Turn.plan(experiment, arms);
    progress.step(plan(turns));
    String engine = "";
    try (ContentionFiles files = new ContentionFiles(out, experiment)) {
      for (int i = 0; i < turns.size(); i++) {
        Turn turn = turns.get(i);
        progress.now("[" + (i + 1) + "/" + turns.size() + "] " + turn.words());
        Turn.Ended ended = run(turn, engines.get(turn.arm().name()), rates.get(turn.load()));
        files.ended(ended);
        engine = ended.result().engine();
      }
      files.pooled();
    }
    Environment.capture(start, revision, settings(rates, engine)).write(out);
    progress.step(
        String.format(
            Locale.ROOT,
            "%d repetitions, %d of them again because of noise",
            turns.size(),
            repeated));
  }

  /** Again while it was noisy and that is allowed; the quietest counts. */
  private Turn.Ended run(Turn turn, Engine engine, double rate) throws InterruptedException {
    Repetition repetition = turn.repetition(experiment, rate, machineCores);
    Quiet quiet = experiment.quiet();
    RepetitionResult best = DriverRun.run(engine, repetition);
    for (int again = 0;
        noisy(best) && again < quiet.repeats() && repeated < quiet.atMost();
        again++) {
      repeated++;
      RepetitionResult next = DriverRun.run(engine, repetition);
      if (disturbance(next) < disturbance(best)) {
        best = next;
      }
    }
    if (noisy(best)) {
      progress.step(
          String.format(
              Locale.ROOT,
              "noisy: %s (others used %.0f %% of a core, %.0f %% was stolen)",
              turn.words(),
              100 * best.noise().foreign(),
              100 * best.noise().steal()));
    }
    return new Turn.Ended(turn, best, noisy(best));
  }

  private static double disturbance(RepetitionResult result) {
    return result.noise().foreign() + result.noise().steal();
  }

  private boolean noisy(RepetitionResult result) {
    return result.noise().foreign() > experiment.quiet().foreign()
        || result.noise().steal() > experiment.quiet().steal();
  }

  private Map<Load, Double> rates(Engine engine) throws InterruptedException {
    Map<Load, Double> rates = new LinkedHashMap<>();
    for (Load load : experiment.loads()) {
      if (Double.isNaN(load.fraction())) {
        rates.put(load, load.requestsPerSecond());
      } else {
        progress.now("calibrating: what one core can do at " + load.label());
        rates.put(load, Calibration.rate(engine, experiment, load.fraction()));
      }
    }
    return rates;
  }

  private String plan(List<Turn> turns) {
    double seconds =
        turns.stream()
                .mapToLong(turn -> turn.in().windowMillis() + experiment.warmUpMillis() + 400)
                .sum()
            / 1e3;
    return String.format(
        Locale.ROOT,
        "%s: %d repetitions of %d arms in %d cases, about %.0f min",
        experiment.name(),
        turns.size(),
        experiment.arms().size(),
        experiment.cases().size(),
        Math.ceil(seconds / 60));
  }

  private Map<String, String> settings(Map<Load, Double> rates, String engine) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("on", "a storage engine in a process of its own: " + engine);
    rates.forEach(
        (load, rate) ->
            settings.put(
                "load " + load.label(),
                rate == 0
                    ? "each session without pause"
                    : String.format(Locale.ROOT, "%.0f operations/s", rate)));
    for (Case one : experiment.cases()) {
      settings.put(
          "case " + one.squeeze().label(),
          one.squeeze().pins()
              ? "sessions confined to " + experiment.cores() + " of " + machineCores + " cores"
              : "all " + machineCores + " cores");
    }
    settings.put("repeated because of noise", Integer.toString(repeated));
    return settings;
  }

  private Told told() {
    return new Told() {
      @Override
      public void step(String text) {
        progress.step(text);
      }

      @Override
      public void now(String text) {
        progress.now(text);
      }
    };
  }
}
