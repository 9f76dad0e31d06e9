/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.contention;

import dev.manx.contention.engine.EngineStore;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.ArmBound.Measures;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.experiment.SweptFile;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Experiments {@code on: contention}; docs/research/contention.md explains every key. */
public final class ContentionKind {
  public static final KindWords WORDS =
      KindWords.threads(
          "contention",
          "An operation that has not begun at the end of the window counts as an error, and with"
              + " the time that it had waited. An operation in the engine at that time counts"
              + " with its full latency.");

  public static final Section SECTION =
      CommonSettings.top(
          WORDS.on(),
          EngineArm.SECTION,
          Stream.of(
                  ContentionSettings.keys(),
                  new Key[] {
                    Key.of(
                        "quiet",
                        Quiet.SECTION,
                        "limits of noise in a turn, above which it is repeated")
                  },
                  CaseReader.KEYS,
                  new Key[] {CommonSettings.SWEEP, CommonSettings.PUBLISHED})
              .flatMap(Stream::of)
              .toArray(Key[]::new));

  private ContentionKind() {}

  /** A case at a load, with a number of sessions. */
  record At(ContentionSettings settings, SqueezeCase in, int threads, Load load) {}

  /** Reads a file. */
  public static Experiment<EngineArm, At> read(ExperimentSource source) {
    return read(source, EngineStore.ofUser());
  }

  /** Reads a file with a separate store. */
  static Experiment<EngineArm, At> read(ExperimentSource source, EngineStore store) {
    source
        .choices()
        .refuse(
            "requests",
            "not supported by `on: contention`; use --set window=5s, the length of a repetition");
    SweptFile<EngineArm, At> whole = SweptFile.of(source, List.of(), sweep -> part(source, sweep));
    List<Point<EngineArm, At>> points = whole.points();
    return whole.experiment(
        Experiment.Order.INTERLEAVED,
        String.format(Locale.ROOT, "about %.0f min", Math.ceil(minutes(whole.head(), points))),
        progress -> {
          leftOut(whole.head().arms(), points).forEach(progress::step);
          return ContentionPlayer.start(points, store, progress);
        });
  }

  /** A line for each case that does not measure some arms of a run. */
  static Set<String> leftOut(List<String> arms, List<Point<EngineArm, At>> points) {
    Set<String> lines = new LinkedHashSet<>();
    for (Point<EngineArm, At> point : points) {
      SqueezeCase in = point.settings().in();
      List<String> out = arms.stream().filter(arm -> !in.arms().contains(arm)).toList();
      if (!out.isEmpty()) {
        lines.add(
            "case %s: without arm%s %s (its `arms:`)"
                .formatted(
                    in.squeeze().label(), out.size() == 1 ? "" : "s", String.join(", ", out)));
      }
    }
    return lines;
  }

  private static double minutes(Head head, List<Point<EngineArm, At>> points) {
    double millis = 0;
    for (Point<EngineArm, At> point : points) {
      At at = point.settings();
      millis +=
          (double) (at.in().windowMillis() + at.settings().warmUpMillis() + 400)
              * point.rounds()
              * point.arms().size();
    }
    return millis * head.seeds().size() / 60e3;
  }

  private static SweptFile<EngineArm, At> part(ExperimentSource source, SweepPoint sweep) {
    Part top = SECTION.read(source.top(List.of(), sweep.settings()));
    boolean roundsChosen = source.choices().gives("rounds");
    Head read = source.head(top, Measures.latencies(CaseReader.classes(top)));
    Head head = roundsChosen ? read.measuredIn(top.whole("rounds")) : read;
    ContentionSettings settings = ContentionSettings.read(top, source.choices());
    Quiet quiet = Quiet.read(top.part("quiet"));
    List<Arm<EngineArm>> arms = head.arms(top, (name, arm) -> EngineArm.read(arm, source::beside));
    List<SqueezeCase> cases =
        new CaseReader(top, head.arms(), settings.threads(), source.choices()).read();
    int fewestKeys =
        cases.stream().flatMap(c -> c.threads().stream()).mapToInt(t -> t).max().orElse(1);
    if (!settings.data().sharedKeys() && settings.data().records() < fewestKeys) {
      throw top.node("data").refuse("at least " + fewestKeys + " records: one for each session");
    }
    settings.resolve(top);
    CaseReader.resolve(top);
    Map<String, Object> written = head.written(top);
    List<Point<EngineArm, At>> points = new ArrayList<>();
    for (Load load : settings.loads()) {
      for (SqueezeCase one : cases) {
        for (int threads : one.threads()) {
          points.add(point(new At(settings, one, threads, load), arms, sweep));
        }
      }
    }
    return new SweptFile<>(head, quiet, points, written);
  }

  /** Points of a sweep include their number of sessions; the experiment's own is omitted. */
  private static Point<EngineArm, At> point(At at, List<Arm<EngineArm>> arms, SweepPoint sweep) {
    boolean own = at.threads() == at.settings().threads();
    String threads = own && at.in().threads().size() == 1 ? "" : "threads=" + at.threads();
    String between = threads.isEmpty() || sweep.params().isEmpty() ? "" : ";";
    return new Point<>(
        at.load().label(),
        at.in().squeeze().label(),
        sweep.params() + between + threads,
        own && sweep.params().isEmpty(),
        at.in().rounds(),
        arms.stream().filter(arm -> at.in().arms().contains(arm.name())).toList(),
        List.of(),
        at);
  }
}
