/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.experiment.YamlText;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.Strategy;
import dev.manx.workload.result.RowKey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Experiments {@code on: simulator}; docs/research/simulator.md explains every key. */
public final class SimulatorKind {
  /** For the report. */
  public static final KindWords WORDS =
      new KindWords(
          "simulator",
          "load",
          "Latency of whole fan-out requests, from the intended start of each until"
              + " its last read was answered.",
          List.of(
              new Note(
                  "Simulated.",
                  "Nodes, network and service are a model in virtual time; the policies are"
                      + " the objects that run in Cassandra. Requests arrive at times fixed in"
                      + " advance, and a request's latency counts from its arrival to the answer of"
                      + " its last read. The section on the environment shows the results of the"
                      + " checkers for every run."),
              new Note(
                  "Rounds.",
                  "A round is a seed: all its arms get the same requests at the same times"
                      + " with the same service times, so arms are compared inside rounds only. The"
                      + " same file gives the same numbers, bit for bit.")),
          false,
          true,
          "");

  private static final int QUICK_SEEDS = 3;
  // A window in time is for clusters; --requests sets it to nothing. A round is a seed.
  private static final List<String> MEANINGLESS = List.of("window", "rounds");

  private final ExperimentSource source;

  private SimulatorKind(ExperimentSource source) {
    this.source = source;
  }

  /** A load of an experiment or of a point of its sweep. */
  record At(SimulatorSettings settings, Load load) {}

  private record Part(Head head, List<Point<String, At>> points, Map<String, Object> written) {}

  /**
   * Reads a file.
   *
   * @throws dev.manx.policy.config.ConfigException if anything in it is refused
   */
  public static Experiment<String, At> read(ExperimentSource source) {
    SimulatorKind kind = new SimulatorKind(source);
    Part whole = kind.part(SweepPoint.NONE);
    List<Point<String, At>> points = new ArrayList<>(whole.points());
    for (SweepPoint one : SweepPoint.of(source.top(MEANINGLESS, Map.of()))) {
      points.addAll(kind.part(one).points());
    }
    SimulatorSettings settings = points.get(0).settings().settings();
    return new Experiment<>(
        whole.head(),
        points,
        Experiment.Order.SIDE_BY_SIDE,
        Quiet.ANY,
        String.format(
            Locale.ROOT,
            "%,d requests each, on %d cores",
            settings.requests(),
            Runtime.getRuntime().availableProcessors()),
        YamlText.of(whole.written()),
        progress -> new SimulatorPlayer(settings));
  }

  /** The file as a whole, or with the settings of a point of its sweep. */
  private Part part(SweepPoint sweep) {
    ConfigNode top = source.top(MEANINGLESS, sweep.settings());
    Head head = source.seeded(top, WORDS.on(), QUICK_SEEDS);
    SimulatorSettings settings = SimulatorSettings.read(source, top, head.quick());
    List<Arm<String>> arms = head.arms(top, (name, node) -> document(node.at("strategy")));
    Map<String, Object> written = settings.written(head);
    String[] inFile = top.at("arms").names().toArray(String[]::new);
    top.find("heat-map")
        .map(list -> list.items().stream().map(item -> item.oneOf(inFile)).toList())
        .filter(heat -> !heat.isEmpty())
        .ifPresent(
            heat -> written.put("heat-map", heat.stream().filter(head.arms()::contains).toList()));
    top.find("sweep").ifPresent(n -> written.put("sweep", YamlText.tree(n)));
    top.find("published").ifPresent(n -> written.put("published", YamlText.tree(n)));
    written.put("arms", Head.written(arms, SimulatorKind::written));
    top.noOtherKeys();
    List<Point<String, At>> points =
        settings.loads().stream()
            .map(
                load ->
                    new Point<>(
                        load.label(),
                        RowKey.ALL,
                        sweep.params(),
                        sweep.params().isEmpty(),
                        1,
                        arms,
                        List.of(),
                        new At(settings, load)))
            .toList();
    return new Part(head, points, written);
  }

  /** Checked as the model would, and with every default in its place. */
  private String document(ConfigNode strategy) {
    ConfigNode whole =
        strategy.isMapping() || Presets.find(strategy.text()).isPresent()
            ? strategy
            : ofFile(strategy);
    return Strategy.of(whole, Host.simulator(() -> 0, () -> 0)).document();
  }

  private ConfigNode ofFile(ConfigNode node) {
    Path named = source.beside(node.text());
    try {
      ConfigNode top = ConfigNode.parse(named.toString(), Files.readString(named));
      ConfigNode strategy = top.at("strategy");
      top.find("plugin");
      top.noOtherKeys();
      return strategy;
    } catch (IOException e) {
      throw node.refuse(
          "a mapping, a preset (%s), or a readable file (looked for %s)"
              .formatted(Presets.names(), named));
    }
  }

  private static Map<String, Object> written(String arm, String document) {
    return ordered("strategy", YamlText.mapping(ConfigNode.parse(arm, document).at("strategy")));
  }
}
