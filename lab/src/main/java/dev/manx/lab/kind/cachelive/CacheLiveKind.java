/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.ArmBound.Measures;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.experiment.TurnWindow;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.lab.settings.YamlText;
import dev.manx.local.cluster.ManxHome;
import dev.manx.workload.result.RowKey;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Experiments {@code on: cache-live}; docs/measure/cache-live.md explains every key. */
public final class CacheLiveKind {
  static final String ON = "cache-live";

  public static final KindWords WORDS =
      new KindWords(
          ON,
          "load",
          "Latency of whole fan-out requests, from the intended start of each to the"
              + " answer of its slowest query.",
          List.of(
              KindWords.openLoop("query"),
              new Note(
                  "Rounds.",
                  "All arms run in every round, one after another in a balanced random"
                      + " order, in front of the same backends with the same sequence of requests."
                      + " Each arm keeps its cache, and everything that it has learned, from "
                      + "round to"
                      + " round; after each switch a warm-up is discarded. Arms are compared inside"
                      + " rounds only.")),
          false,
          true,
          false,
          "Every value carries its key and a checksum, and every answer is verified;"
              + " the column wrong counts rows that were wrong, missing or duplicated.",
          KindWords.BY_UTILISATION);

  public static final Section SECTION = LiveKeys.SECTION;

  private CacheLiveKind() {}

  record At(LiveSettings settings, Load load) {
    long windowNanos() {
      return settings.windowNanos(load);
    }
  }

  /**
   * Reads a file.
   *
   * @param work folder for backends' data during a run
   * @throws dev.manx.policy.config.ConfigException if a setting is invalid
   */
  public static Experiment<LiveArm, At> read(ExperimentSource source, ManxHome home, Path work) {
    Part top = SECTION.read(source.top(List.of(), Map.of()));
    if (top.has("sweep")) {
      throw top.node("sweep")
          .refuseBecause("`on: cache-live` has no sweep, because its backends are started once");
    }
    QuickTimes.shorten(top, source.choices());
    Head read = source.head(top, Measures.latencies(List.of(RowKey.ALL)));
    LiveSettings settings = LiveSettings.read(top);
    List<Arm<LiveArm>> arms =
        read.arms(top, (name, arm) -> LiveArm.read(arm, settings, read.arms().contains(name)));
    Head head = read.measuredIn(settings.rounds());
    return new Experiment<>(
        head,
        settings.loads().stream().map(load -> point(new At(settings, load), arms)).toList(),
        Experiment.Order.INTERLEAVED,
        Quiet.ANY,
        String.format(Locale.ROOT, "some %.0f s", seconds(head, settings)),
        YamlText.of(written(top, settings, head)),
        progress ->
            CacheLivePlayer.start(settings, arms, head.seeds().get(0), home, work, progress));
  }

  private static Point<LiveArm, At> point(At at, List<Arm<LiveArm>> arms) {
    return SweepPoint.NONE.at(at.load().label(), RowKey.ALL, at.settings().rounds(), arms, at);
  }

  private static double seconds(Head head, LiveSettings settings) {
    double turn =
        settings.loads().stream()
            .mapToDouble(load -> (settings.warmUpNanos() + settings.windowNanos(load)) / 1e9)
            .sum();
    double each = turn * settings.rounds() * head.seeds().size() + settings.settleNanos() / 1e9;
    return each * head.arms().size() + 30;
  }

  /** The resolved file; its rates are written as they are named in the results. */
  private static Map<String, Object> written(Part top, LiveSettings settings, Head head) {
    List<String> labels = settings.loads().stream().map(Load::label).toList();
    if (top.has("loads")) {
      top.put("loads", labels);
      top.put("rate", null);
    } else {
      top.put("rate", labels.get(0));
    }
    if (settings.loads().size() == 1) {
      new TurnWindow(settings.windowNanos(settings.loads().get(0)), 0).resolve(top);
    }
    return head.written(top);
  }
}
