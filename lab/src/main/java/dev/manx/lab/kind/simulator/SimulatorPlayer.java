/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.SettingPrefix;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.simulator.SimulatorKind.At;
import dev.manx.policy.config.Units;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.Outcome.ClassOutcome;
import dev.manx.simulator.RunSpec;
import dev.manx.simulator.Simulation;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Plays simulations. Any thread. */
final class SimulatorPlayer implements Player<String, At> {
  private final SimulatorSettings settings;
  private final Map<String, String> files;
  private final RunCosts costs = new RunCosts();

  /**
   * @param settings of the experiment without its sweep
   * @param files contents of the files that it uses
   */
  SimulatorPlayer(SimulatorSettings settings, Map<String, String> files) {
    this.settings = settings;
    this.files = files;
  }

  @Override
  public Measured play(Turn<String, At> turn, Consumer<String> now) {
    SimulatorSettings own = turn.point().settings().settings();
    Load load = turn.point().settings().load();
    Outcome outcome =
        new Simulation(
                own.model(),
                own.workload().source(),
                turn.arm().settings(),
                own.run(load, turn.seed()))
            .run();
    String params = turn.point().params();
    costs.add(
        turn.arm().name() + " at " + load.label() + (params.isEmpty() ? "" : ", " + params),
        outcome.cost());
    double seconds = outcome.windowNanos() / 1e9;
    Measured measured = new Measured(0, seconds);
    outcome.classes().forEach((one, of) -> measured.latency(one.label(), latency(of, seconds)));
    return measured
        .metrics(outcome.metrics())
        .timeline(outcome.timeline())
        .checks(outcome.checks())
        .queues(outcome.metrics().get(Outcome.STABLE) < 0.5, Double.NaN);
  }

  private static Measured.Latency latency(ClassOutcome of, double seconds) {
    return new Measured.Latency(
        of.count(), of.errors(), 0, of.answeredInWindow() / seconds, of.meanNanos(), of.nanos());
  }

  @Override
  public Map<String, String> conditions() {
    return files;
  }

  @Override
  public Map<String, String> environment() {
    Map<String, String> words = new LinkedHashMap<>();
    words.put("on", "simulator: virtual time, no node and no network is real");
    double meanBytes = settings.workload().source().meanBytes();
    words.put(
        "workload",
        String.format(
            Locale.ROOT,
            "%.2f reads a request, %.0f bytes a read (means)",
            settings.workload().source().meanReads(),
            meanBytes));
    words.put(
        "modelled capacity",
        String.format(
            Locale.ROOT, "%.0f reads/s", settings.model().capacityReadsPerSecond(meanBytes)));
    for (Load load : settings.loads()) {
      words.put("load " + load.label(), load(settings.run(load, 1)));
    }
    costs.lines().forEach((name, line) -> words.put(SettingPrefix.SPEED + name, line));
    return words;
  }

  private static String load(RunSpec run) {
    return run.thinkNanos() == 0
        ? String.format(Locale.ROOT, "%.1f requests/s", run.requestsPerSecond())
        : String.format(
            Locale.ROOT,
            "closed loop, %d clients with a mean think time of %s",
            run.clients(),
            Units.duration(run.thinkNanos()));
  }

  @Override
  public String words() {
    return costs.words();
  }
}
