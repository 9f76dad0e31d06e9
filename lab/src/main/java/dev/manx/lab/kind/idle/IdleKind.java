/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.idle;

import dev.manx.contention.idle.WaitingLoad;
import dev.manx.contention.squeeze.SqueezeKind;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.ArmBound.Measures;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.experiment.SweptFile;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.IdleSpec;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Experiments {@code on: idle}: strategies for threads that wait for each other;
 * examples/idle-strategies.yaml shows every key.
 */
public final class IdleKind {
  static final String ON = "idle";

  public static final KindWords WORDS =
      KindWords.threads(
          ON,
          "An operation that ends after the window counts with its full latency. One that has not"
              + " ended when the process stops waiting for late operations, some time after the"
              + " window, counts as an error, and with the time until then.");

  public static final Section SECTION = IdleSettings.SECTION;

  private static final int QUICK_ROUNDS = 1;
  private static final long QUICK_WINDOW_NANOS = 1_500_000_000L;

  private IdleKind() {}

  record At(IdleSettings settings, Load load, SqueezeKind which) {}

  /**
   * Reads a file.
   *
   * @param work folder for files of processes during a run
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  public static Experiment<IdleSpec, At> read(ExperimentSource source, Path work) {
    source
        .choices()
        .refuse(
            "requests", "not supported by `on: idle`; use --set window=5s, the length of a turn");
    SweptFile<IdleSpec, At> whole = SweptFile.of(source, List.of(), sweep -> part(source, sweep));
    List<Point<IdleSpec, At>> points = whole.points();
    double seconds =
        points.stream().mapToDouble(IdleKind::seconds).sum() * whole.head().seeds().size();
    return whole.experiment(
        Experiment.Order.INTERLEAVED,
        String.format(Locale.ROOT, "some %.0f s", seconds),
        progress -> IdlePlayer.start(points, work));
  }

  private static double seconds(Point<IdleSpec, At> point) {
    WaitingLoad load = point.settings().settings().load();
    double turn = (load.warmUpNanos() + load.windowNanos()) / 1e9 + 1;
    return point.rounds() * point.arms().size() * turn;
  }

  private static SweptFile<IdleSpec, At> part(ExperimentSource source, SweepPoint sweep) {
    Part top = SECTION.read(source.top(List.of(), sweep.settings()));
    Head head =
        source.head(top, Measures.latencies(top.words("cases"))).measuredIn(top.whole("rounds"));
    source.choices().shorten(top, "rounds", QUICK_ROUNDS);
    source.choices().shorten(top, "window", QUICK_WINDOW_NANOS);
    IdleSettings settings = IdleSettings.read(top);
    Quiet quiet = top.find("quiet").map(Quiet::read).orElse(Quiet.ANY);
    List<Arm<IdleSpec>> arms = head.arms(top, IdleKind::idle);
    top.put("cases", settings.cases().stream().map(SqueezeKind::label).toList());
    Map<String, Object> written = head.written(top);
    List<Point<IdleSpec, At>> points = new ArrayList<>();
    for (Load load : settings.loads()) {
      for (SqueezeKind which : settings.cases()) {
        points.add(
            sweep.at(
                load.label(),
                which.label(),
                top.whole("rounds"),
                arms,
                new At(settings, load, which)));
      }
    }
    return new SweptFile<>(head, quiet, points, written);
  }

  private static IdleSpec idle(String name, Part arm) {
    IdleSpec idle = IdleSpec.read(arm.node("idle"), Host.harness(System::nanoTime));
    ConfigNode resolved = ConfigNode.parse(name, "idle: " + idle.written());
    arm.put("idle", resolved.at("idle"));
    return idle;
  }
}
