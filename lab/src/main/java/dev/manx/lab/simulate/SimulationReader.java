/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.simulate;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.ExperimentWriter;
import dev.manx.lab.experiment.Load;
import dev.manx.lab.experiment.YamlText;
import dev.manx.lab.simulate.SimulatedExperiment.Point;
import dev.manx.lab.simulate.SimulatedExperiment.SimulatedArm;
import dev.manx.lab.simulate.SourceReader.Described;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.simulator.ModelSpec;
import dev.manx.workload.RequestClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads experiment files with {@code on: simulator}; docs/simulator.md explains every key. */
final class SimulationReader {
  private static final long QUICK_REQUESTS = 20_000;
  private static final int QUICK_SEEDS = 3;
  private static final String[] CLASSES = {"single", "narrow", "wide", "small", "large"};
  private static final long SECOND = 1_000_000_000L;

  private final Path file;
  private final String text;
  private final Choices choices;

  private SimulationReader(Path file, String text, Choices choices) {
    this.file = file;
    this.text = text;
    this.choices = choices;
  }

  /**
   * Reads a file and applies what the command line chose.
   *
   * @throws ConfigException if it cannot be read or anything in it is refused
   */
  static SimulatedExperiment read(Path file, Choices choices) {
    choices.refuse(
        "rounds", "no rounds on: simulator; use --seeds 1,2,3, since each seed is a round");
    try {
      return new SimulationReader(file, Files.readString(file), choices).read(Map.of(), "");
    } catch (IOException e) {
      throw new ConfigException(file.toString(), 0, "", null, "a readable experiment file");
    }
  }

  private SimulatedExperiment read(Map<String, String> point, String params) {
    Map<String, String> overrides = new LinkedHashMap<>(choices.settings());
    // A window in time is for clusters; --requests sets it to nothing.
    overrides.remove("window");
    overrides.putAll(point);
    ConfigNode top = ConfigNode.parse(file.toString(), text, overrides);
    top.at("on").oneOf("simulator");
    String name = CommonSettings.name(top);
    boolean quick = choices.quick() || top.find("quick").map(ConfigNode::flag).orElse(false);
    Described workload = SourceReader.read(top.at("workload"), file);
    ModelSpec model = ModelReader.read(top.at("model"), workload.source().meanBytes());
    List<SimulatedArm> arms = new SimulatedArms(file, choices.arms()).read(top.at("arms"));
    List<String> running = arms.stream().map(SimulatedArm::name).toList();
    String baseline = CommonSettings.baseline(top, top.at("arms").names(), running);
    List<RequestClass> classes =
        top
            .find("classes")
            .map(n -> n.items().stream().map(item -> item.oneOf(CLASSES)).toList())
            .orElse(List.of(CLASSES))
            .stream()
            .distinct()
            .map(RequestClass::ofLabel)
            .toList();
    List<Load> loads = top.at("loads").items().stream().map(SimulationReader::load).toList();
    List<Long> seeds = CommonSettings.seeds(top);
    long requests = top.at("requests").integer(1, 10_000_000_000L);
    double warmUp = top.find("warm-up").map(n -> n.fraction(0, 0.9)).orElse(0.05);
    long timeline = top.find("timeline").map(n -> n.durationNanos(0, 3600 * SECOND)).orElse(0L);
    Optional<ConfigNode> published = top.find("published");
    String description = top.find("description").map(ConfigNode::text).orElse("");
    Optional<ConfigNode> sweep = top.find("sweep");
    List<String> heat =
        top.find("heat-map").map(n -> heatArms(n, top.at("arms"))).orElse(List.of());
    top.noOtherKeys();
    if (quick) {
      requests = Math.min(requests, QUICK_REQUESTS);
      seeds = seeds.subList(0, Math.min(QUICK_SEEDS, seeds.size()));
    }
    Map<String, Object> written = new LinkedHashMap<>();
    written.put("experiment", name);
    written.put("description", description);
    written.put("on", "simulator");
    written.put("quick", quick);
    written.put("baseline", baseline);
    written.put("model", ModelReader.written(model));
    written.put("workload", workload.written());
    written.put("classes", classes.stream().map(RequestClass::label).toList());
    written.put("loads", loads.stream().map(Load::label).toList());
    written.put("seeds", seeds);
    written.put("requests", requests);
    written.put("warm-up", warmUp);
    written.put("timeline", ExperimentWriter.nanos(timeline));
    if (!heat.isEmpty()) {
      written.put("heat-map", heat.stream().filter(running::contains).toList());
    }
    sweep.ifPresent(n -> written.put("sweep", YamlText.tree(n)));
    published.ifPresent(n -> written.put("published", YamlText.tree(n)));
    written.put("arms", SimulatedArms.written(arms));
    List<Point> points = sweep.isPresent() && params.isEmpty() ? points(sweep.get()) : List.of();
    return new SimulatedExperiment(
        name,
        baseline,
        model,
        workload.source(),
        workload.arrivals(),
        workload.thinkNanos(),
        workload.narrowMaxReads(),
        classes,
        loads,
        seeds,
        requests,
        warmUp,
        timeline,
        arms,
        points,
        YamlText.of(written));
  }

  private static List<String> heatArms(ConfigNode list, ConfigNode arms) {
    return list.items().stream()
        .map(item -> item.oneOf(arms.names().toArray(String[]::new)))
        .toList();
  }

  private static Load load(ConfigNode item) {
    String label = item.text();
    if (Units.perSecond(label).isPresent()) {
      return new Load(label, Double.NaN, item.perSecond(1e-3, 1e9));
    }
    if (Units.fraction(label).isPresent()) {
      return new Load(label, item.fraction(0.001, 2), Double.NaN);
    }
    throw item.refuse("a share of the modelled capacity (70%) or a rate of requests (120/s)");
  }

  /**
   * The points of a sweep, each read as a whole file of its own: every combination of a mapping's
   * values, or the entries of a list as they stand.
   */
  private List<Point> points(ConfigNode sweep) {
    if (sweep.isList()) {
      List<Point> points = new ArrayList<>();
      for (ConfigNode entry : sweep.items()) {
        Map<String, String> settings = new LinkedHashMap<>();
        entry.names().forEach(key -> settings.put(key, entry.at(key).text()));
        String name = settings.remove("name");
        points.add(point(name == null ? params(settings) : "point=" + name, settings));
      }
      return points;
    }
    List<Map<String, String>> combinations = new ArrayList<>(List.of(Map.of()));
    for (String key : sweep.names()) {
      List<Map<String, String>> longer = new ArrayList<>();
      for (Map<String, String> shorter : combinations) {
        for (ConfigNode value : sweep.at(key).items()) {
          Map<String, String> one = new LinkedHashMap<>(shorter);
          one.put(key, value.text());
          longer.add(one);
        }
      }
      combinations = longer;
    }
    return combinations.stream().map(one -> point(params(one), one)).toList();
  }

  private Point point(String params, Map<String, String> settings) {
    return new Point(params, read(settings, params));
  }

  private static String params(Map<String, String> settings) {
    List<String> parts = new ArrayList<>();
    settings.forEach((key, value) -> parts.add(key + "=" + value));
    return String.join(";", parts);
  }
}
