/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import static dev.manx.lab.experiment.YamlText.nanos;

import dev.manx.lab.cluster.ManxHome;
import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.YamlText;
import dev.manx.lab.stats.PairedComparison;
import dev.manx.policy.config.ConfigNode;
import dev.manx.workload.result.RowKey;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Experiments {@code on: cache-live}; docs/measure/cache-live.md explains every key. */
public final class CacheLiveKind {
  /** For the report. */
  public static final KindWords WORDS =
      new KindWords(
          "cache-live",
          "load",
          "Latency of whole fan-out requests, from the intended start of each to the"
              + " answer of its slowest query.",
          List.of(
              KindWords.openLoop("query"),
              new Note(
                  "Rounds.",
                  "All arms run in every round, one after the other in a balanced random"
                      + " order, in front of the same backends with the same sequence of requests."
                      + " Each arm keeps its cache, and everything that it has learnt, from round to"
                      + " round; after each switch a warm-up is discarded. Arms are compared inside"
                      + " rounds only.")),
          false,
          false,
          "Every value carries its key and a checksum, and every answer is verified;"
              + " the column wrong counts rows that were wrong, missing or duplicated.");

  private static final int QUICK_ROUNDS = 2;

  private CacheLiveKind() {}

  /** A load. */
  record At(LiveSettings settings, Load load) {
    long windowNanos() {
      return settings.windowNanos(load);
    }
  }

  /**
   * Reads a file.
   *
   * @param work where backends keep their data meanwhile
   * @throws dev.manx.policy.config.ConfigException if anything in it is refused
   */
  public static Experiment<LiveArm, At> read(ExperimentSource source, ManxHome home, Path work) {
    Choices choices = source.choices();
    List<String> replaced = choices.option("requests").isPresent() ? List.of("window") : List.of();
    ConfigNode top = source.top(replaced, Map.of());
    top.find("sweep")
        .ifPresent(
            node -> {
              throw node.refuse("no sweep on: cache-live; its backends are started once");
            });
    Head read = source.head(top, WORDS.on());
    boolean shorter = choices.quick() && !choices.settings().containsKey("rounds");
    LiveSettings settings = LiveSettings.read(top, shorter ? QUICK_ROUNDS : Integer.MAX_VALUE);
    List<Arm<LiveArm>> arms =
        read.arms(top, (name, node) -> LiveArm.read(node, settings, read.arms().contains(name)));
    Head head = read.marked(read.quick() || settings.rounds() < PairedComparison.MIN_ROUNDS);
    top.find("window");
    top.noOtherKeys();
    return new Experiment<>(
        head,
        settings.loads().stream().map(load -> point(new At(settings, load), arms)).toList(),
        Experiment.Order.INTERLEAVED,
        Quiet.ANY,
        String.format(Locale.ROOT, "some %.0f s", seconds(head, settings)),
        // Read apart: what is copied counts as known, and the other must say what is not.
        YamlText.of(written(source.top(replaced, Map.of()), settings, head, arms)),
        progress ->
            CacheLivePlayer.start(settings, arms, head.seeds().get(0), home, work, progress));
  }

  private static Point<LiveArm, At> point(At at, List<Arm<LiveArm>> arms) {
    return new Point<>(
        at.load().label(), RowKey.ALL, "", true, at.settings().rounds(), arms, List.of(), at);
  }

  private static double seconds(Head head, LiveSettings settings) {
    double turn =
        settings.loads().stream()
            .mapToDouble(load -> (settings.warmUpNanos() + settings.windowNanos(load)) / 1e9)
            .sum();
    double each = turn * settings.rounds() * head.seeds().size() + settings.settleNanos() / 1e9;
    return each * head.arms().size() + 30;
  }

  private static Map<String, Object> written(
      ConfigNode copied, LiveSettings settings, Head head, List<Arm<LiveArm>> arms) {
    Map<String, Object> written = new LinkedHashMap<>(YamlText.mapping(copied));
    if (copied.find("loads").isPresent()) {
      written.remove("rate");
    }
    if (settings.loads().size() == 1) {
      written.remove("requests");
      written.put("window", nanos(settings.windowNanos(settings.loads().get(0))));
    } else if (settings.requests() > 0) {
      written.remove("window");
    }
    written.put("baseline", head.baseline());
    written.put("rounds", settings.rounds());
    written.put("quick", head.quick());
    written.put("arms", Head.written(arms, (name, arm) -> arm.written()));
    return written;
  }
}
