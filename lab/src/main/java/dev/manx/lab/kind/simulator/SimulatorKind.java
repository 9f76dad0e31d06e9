/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.ArmBound.Measures;
import dev.manx.lab.experiment.ArmStrategy;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.experiment.SweptFile;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Host;
import dev.manx.workload.result.RowKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Experiments {@code on: simulator}; docs/research/simulator.md explains every key. */
public final class SimulatorKind {
  static final String ON = "simulator";

  public static final KindWords WORDS =
      new KindWords(
          ON,
          "load",
          "Latency of whole fan-out requests, from the intended start of each until"
              + " its last read was answered.",
          List.of(
              new Note(
                  "Simulated.",
                  "Nodes, network and service are a model in virtual time; the policies are"
                      + " the objects that run in Cassandra. The section on the environment shows"
                      + " the results of the checkers for every run."),
              new Note(
                  KindWords.OPEN_LOOP,
                  "Requests arrive at times fixed in advance, and a request's latency counts from"
                      + " its arrival to the answer of its last read."),
              new Note(
                  "Rounds.",
                  "A round is a seed: all its arms get the same requests at the same times"
                      + " with the same service times, so arms are compared inside rounds only. The"
                      + " same file gives the same numbers, bit for bit.")),
          false,
          false,
          true,
          "",
          "An arm whose load reached the capacity of the modelled cluster, or whose number of open"
              + " requests grew, is saturated and not compared; in a closed loop none is.");

  public static final Section SECTION = SimulatorSettings.SECTION;

  private static final int QUICK_SEEDS = 3;
  // A window in time is for clusters; --requests removes it. A round is a seed.
  private static final List<String> MEANINGLESS = List.of("window", "rounds");

  private final ExperimentSource source;
  private final List<String> leftOut = new ArrayList<>();

  private SimulatorKind(ExperimentSource source) {
    this.source = source;
  }

  /** A load of an experiment or of a point of its sweep. */
  record At(SimulatorSettings settings, Load load) {}

  /** Reads a file. */
  public static Experiment<String, At> read(ExperimentSource source) {
    SimulatorKind kind = new SimulatorKind(source);
    SweptFile<String, At> whole = SweptFile.of(source, MEANINGLESS, kind::part);
    SimulatorSettings settings = whole.points().get(0).settings().settings();
    return whole.experiment(
        Experiment.Order.SIDE_BY_SIDE,
        String.format(
            Locale.ROOT,
            "%,d requests each, on %d cores",
            settings.requests(),
            Runtime.getRuntime().availableProcessors()),
        progress -> {
          settings.workload().doubts().forEach(progress::warning);
          kind.leftOut.forEach(progress::warning);
          return new SimulatorPlayer(
              settings, inFile(source, settings.requests()), source.files().contents());
        });
  }

  /** The file's number of requests; the given number if the file has none. */
  private static long inFile(ExperimentSource source, long otherwise) {
    return ConfigNode.parse(source.file().toString(), source.text())
        .find("requests")
        .map(node -> node.integer(1, Long.MAX_VALUE))
        .orElse(otherwise);
  }

  /** The file as a whole, or with the settings of a point of its sweep. */
  private SweptFile<String, At> part(SweepPoint sweep) {
    ConfigNode file = source.top(MEANINGLESS, sweep.settings());
    Part top = SECTION.read(file);
    top.acceptWithoutEffect(SweepPoint.keys(file));
    Head head = source.seeded(top, QUICK_SEEDS, Measures.latencies(CommonSettings.reported(top)));
    SimulatorSettings settings = SimulatorSettings.read(source, top);
    for (String line : settings.leftOut(top, source.choices(), head.quick())) {
      leftOut.add(sweep.params().isEmpty() ? line : line + " (" + sweep.params() + ")");
    }
    List<Arm<String>> arms = head.arms(top, this::strategy);
    if (top.has("heat-map")) {
      String[] inFile = top.node("arms").names().toArray(String[]::new);
      List<ConfigNode> heat = top.node("heat-map").items();
      heat.forEach(item -> item.oneOf(inFile));
      List<String> running = top.words("heat-map").stream().filter(head.arms()::contains).toList();
      top.put("heat-map", heat.isEmpty() ? null : running);
    }
    Map<String, Object> written = head.written(top);
    List<Point<String, At>> points =
        settings.loads().stream()
            .map(load -> sweep.at(load.label(), RowKey.ALL, 1, arms, new At(settings, load)))
            .toList();
    return new SweptFile<>(head, Quiet.ANY, points, written);
  }

  private String strategy(String name, Part arm) {
    String document =
        ArmStrategy.document(
            arm.node("strategy"), source.beside(""), Host.simulator(() -> 0, () -> 0));
    arm.put("strategy", ConfigNode.parse(name, document).at("strategy"));
    return document;
  }
}
