/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Measured;
import dev.manx.lab.experiment.Player;
import dev.manx.lab.experiment.SettingPrefix;
import dev.manx.lab.experiment.Turn;
import dev.manx.lab.kind.simulator.SimulatorKind.At;
import dev.manx.policy.config.Units;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Policies;
import dev.manx.simulator.Outcome;
import dev.manx.simulator.Outcome.ClassOutcome;
import dev.manx.simulator.RunSpec;
import dev.manx.simulator.Simulation;
import dev.manx.simulator.source.TraceSpec;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/** Plays simulations. Any thread. */
final class SimulatorPlayer implements Player<String, At> {
  private static final long CHECKED_REQUESTS = 1_000;

  private final SimulatorSettings settings;
  private final long requestsInFile;
  private final Map<String, String> files;
  private final RunCosts costs = new RunCosts();

  /**
   * @param settings of the experiment without its sweep
   * @param requestsInFile of a run, before the choices of the command line
   * @param files contents of the files that it uses
   */
  SimulatorPlayer(SimulatorSettings settings, long requestsInFile, Map<String, String> files) {
    this.settings = settings;
    this.requestsInFile = requestsInFile;
    this.files = files;
  }

  @Override
  public Measured play(Turn<String, At> turn, Consumer<String> now) {
    SimulatorSettings own = turn.point().settings().settings();
    Load load = turn.point().settings().load();
    Outcome outcome = play(own, turn);
    String params = turn.point().params();
    costs.add(
        turn.arm().name() + " at " + load.label() + (params.isEmpty() ? "" : ", " + params),
        outcome.cost());
    double seconds = outcome.windowNanos() / 1e9;
    Measured measured = new Measured(0, seconds);
    outcome.classes().forEach((one, of) -> measured.latency(one.label(), latency(of, seconds)));
    measured.metrics(outcome.metrics()).timeline(outcome.timeline()).checks(outcome.checks());
    if (isForeign(turn.arm().settings())) {
      // A closed loop has at least one request for each of its clients.
      long clients = own.run(turn.point().settings().load(), turn.seed()).clients();
      checkRepeatable(own.atMost(Math.max(CHECKED_REQUESTS, clients)), turn, measured);
    }
    return measured.queues(outcome.metrics().get(Outcome.STABLE) < 0.5, Double.NaN);
  }

  private static Outcome play(SimulatorSettings settings, Turn<String, At> turn) {
    Load load = turn.point().settings().load();
    return new Simulation(
            settings.model(load),
            settings.workload().source(),
            turn.arm().settings(),
            settings.run(load, turn.seed()))
        .run();
  }

  /** Whether a strategy has a policy of a third party. */
  private static boolean isForeign(String document) {
    return Blueprint.parse("arm", document, Host.simulator(() -> 0, () -> 0))
        .names()
        .values()
        .stream()
        .anyMatch(Policies::isForeign);
  }

  /** Manx's own policies are tested to be repeatable; those of a third party may not be. */
  private static void checkRepeatable(
      SimulatorSettings few, Turn<String, At> turn, Measured measured) {
    ClassOutcome one = play(few, turn).all();
    ClassOutcome other = play(few, turn).all();
    measured.check(
        "repeatable",
        // Both means are NaN if no request was answered.
        one.nanos().equals(other.nanos())
            && Double.compare(one.meanNanos(), other.meanNanos()) == 0,
        String.format(
            Locale.ROOT,
            "the first %d requests of seed %d, played twice, took %.6f and %.6f ms on average",
            few.requests(),
            turn.seed(),
            one.meanNanos() / 1e6,
            other.meanNanos() / 1e6));
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
    if (settings.requests() < requestsInFile) {
      words.put(
          Head.FEWER_REQUESTS,
          settings.requests() + " in a run, instead of the file's " + requestsInFile);
    }
    words.putAll(settings.workload().words());
    if (settings.workload().source() instanceof TraceSpec trace) {
      double times = (double) settings.requests() / trace.requests();
      words.put(
          "trace in a run",
          String.format(
              Locale.ROOT,
              times < 10
                  ? "played %.2f times: %d requests, warm-up included"
                  : "played %.0f times: %d requests, warm-up included",
              times,
              settings.requests()));
    }
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
