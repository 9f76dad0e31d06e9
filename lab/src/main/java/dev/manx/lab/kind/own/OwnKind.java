/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.own;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.ArmBound.Measures;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.kind.cluster.ArmReader;
import dev.manx.lab.kind.cluster.ClusterArm;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.lab.settings.YamlText;
import dev.manx.policy.config.ConfigException;
import dev.manx.workload.result.RowKey;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Experiments {@code on: own-cluster}; examples/own-cluster.yaml shows every key. */
public final class OwnKind {
  static final String ON = "own-cluster";

  public static final KindWords WORDS =
      new KindWords(
          ON,
          "load",
          "Latency of whole statements, from the intended start of each until its last page was "
              + "read.",
          List.of(
              KindWords.openLoop("page"),
              new Note(
                  "Rounds.",
                  "All arms run in every round, one after another in a balanced random order, on"
                      + " the same nodes with the same sequence of statements at the same times."
                      + " Each arm has keys of its own, so that it does not find rows in caches"
                      + " because of the arm before it. Manx's mode and strategy are switched on"
                      + " every node that has"
                      + " Manx before each turn, and a warm-up is discarded. Arms are compared"
                      + " inside rounds only."),
              new Note(
                  "Your own cluster.",
                  "Other clients used the cluster meanwhile, and their requests were not "
                      + "measured. The driver ran with its defaults, unless an arm or the section"
                      + " on the environment says otherwise. Keys were sampled from the "
                      + "tables uniformly, unlike those of real requests.")),
          false,
          true,
          true,
          "Answers are not verified, because the data is not the lab's; the column wrong is "
              + "always 0.",
          KindWords.BY_UTILISATION);

  public static final Section SECTION = OwnSettings.SECTION;

  private OwnKind() {}

  /** Reads a file without connecting. */
  public static Experiment<ClusterArm, Load> read(ExperimentSource source) {
    Choices choices = source.choices();
    choices.refuse(
        "requests",
        "not supported by `on: own-cluster`; use --set window=20s, the length of the window");
    Part top = SECTION.read(source.top(List.of(), Map.of()));
    Head read = source.head(top, Measures.latencies(OwnPlayer.classes()));
    OwnSettings settings = OwnSettings.read(top, choices);
    ArmReader reader = new ArmReader(source.beside(""));
    List<Arm<ClusterArm>> arms = read.arms(top, reader::readPlain);
    Head head = read.measuredIn(settings.rounds());
    settings.resolve(top);
    return new Experiment<>(
        head,
        settings.loads().stream()
            .map(
                load -> SweepPoint.NONE.at(load.label(), RowKey.ALL, settings.rounds(), arms, load))
            .toList(),
        Experiment.Order.INTERLEAVED,
        Quiet.ANY,
        effort(head, settings),
        cluster(choices) + YamlText.of(head.written(top)),
        progress ->
            OwnPlayer.start(
                settings,
                arms.stream().map(Arm::settings).toList(),
                head.seeds(),
                choices
                    .cluster()
                    .orElseThrow(
                        () ->
                            new ConfigException(
                                source.file().toString(),
                                0,
                                "on",
                                WORDS.on(),
                                "with --on CLUSTER, which names the cluster")),
                progress));
  }

  /**
   * Part of the text, so that an interrupted run is not continued on another cluster, or near
   * another of its datacenters.
   */
  private static String cluster(Choices choices) {
    return choices
        .cluster()
        .map(
            named ->
                "# --on "
                    + named.name()
                    + named.settings().localDatacenter().map(dc -> " --local-dc " + dc).orElse(""))
        .map(line -> line.replaceAll("\\s+", " ") + "\n")
        .orElse("");
  }

  private static String effort(Head head, OwnSettings settings) {
    double turns =
        (double) head.seeds().size()
            * settings.rounds()
            * head.arms().size()
            * settings.loads().size();
    double seconds =
        settings.samplingSeconds()
            + turns * (settings.warmUpNanos() + settings.windowNanos()) / 1e9;
    return String.format(Locale.ROOT, "some %.0f s", Math.ceil(seconds));
  }
}
