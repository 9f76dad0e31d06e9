/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cache;

import dev.manx.lab.cache.CacheExperiment.CacheArm;
import dev.manx.lab.cache.CacheExperiment.NamedScenario;
import dev.manx.lab.cache.CacheExperiment.Workload;
import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.experiment.YamlText;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.strategy.CacheStrategy;
import dev.manx.simulator.cache.Slo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads experiment files with {@code on: cache}; docs/cache-simulation.md explains every key. */
final class CacheReader {
  private static final double QUICK_SCALE = 0.02;
  private static final long SECOND = 1_000_000_000L;
  private static final String STATIC = "cache.static";

  private CacheReader() {}

  /**
   * Reads a file and applies what the command line chose.
   *
   * @throws ConfigException if it cannot be read or anything in it is refused
   */
  static CacheExperiment read(Path file, Choices choices) {
    choices.refuse("rounds", "no rounds on: cache; use --seeds 1,2,3, since each seed is a round");
    choices.refuse(
        "requests", "no requests on: cache; use --set scale=0.05, which shortens every scenario");
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), 0, "", null, "a readable experiment file");
    }
    ConfigNode top = ConfigNode.parse(file.toString(), text, choices.settings());
    top.at("on").oneOf("cache");
    String name = CommonSettings.name(top);
    boolean quick = choices.quick() || top.find("quick").map(ConfigNode::flag).orElse(false);
    Workload workload = new WorkloadReader(file).read(top.at("model"));
    double scale = top.find("scale").map(n -> n.number(0.001, 1)).orElse(0.1);
    ScenarioReader scenarioReader = new ScenarioReader(workload.model());
    List<NamedScenario> scenarios = scenarios(top, scenarioReader);
    List<Slo> slos = slos(top);
    List<Long> seeds = CommonSettings.seeds(top);
    double every =
        top.find("timeline").map(n -> n.durationNanos(0, 3_600 * SECOND)).orElse(120 * SECOND)
            / (double) SECOND;
    List<CacheArm> arms = arms(file, top.at("arms"), choices.arms());
    String description = top.find("description").map(ConfigNode::text).orElse("");
    String baseline =
        CommonSettings.baseline(
            top, top.at("arms").names(), arms.stream().map(CacheArm::name).toList());
    Map<String, Object> written = new LinkedHashMap<>();
    written.put("experiment", name);
    written.put("description", description);
    written.put("on", "cache");
    written.put("quick", quick);
    written.put("baseline", baseline);
    written.put("model", YamlText.tree(top.at("model")));
    scale = quick ? Math.min(scale, QUICK_SCALE) : scale;
    written.put("scale", scale);
    written.put("scenarios", YamlText.tree(top.at("scenarios")));
    written.put("loads", scenarios.stream().map(NamedScenario::name).toList());
    top.find("goals").ifPresent(n -> written.put("goals", YamlText.tree(n)));
    seeds = quick ? seeds.subList(0, 1) : seeds;
    written.put("seeds", seeds);
    written.put("timeline", Math.round(every) + "s");
    Map<String, Object> writtenArms = new LinkedHashMap<>();
    for (CacheArm arm : arms) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("description", arm.description());
      one.put("cache", arm.strategy().written());
      writtenArms.put(arm.name(), one);
    }
    written.put("arms", writtenArms);
    top.find("published").ifPresent(n -> written.put("published", YamlText.tree(n)));
    top.noOtherKeys();
    return new CacheExperiment(
        name,
        baseline,
        workload,
        scale,
        scenarios,
        scenarioReader.reference(),
        slos,
        List.copyOf(seeds),
        every,
        arms,
        YamlText.of(written));
  }

  private static List<NamedScenario> scenarios(ConfigNode top, ScenarioReader reader) {
    ConfigNode node = top.at("scenarios");
    Map<String, NamedScenario> all = new LinkedHashMap<>();
    for (String name : node.names()) {
      if (!name.matches("[A-Za-z0-9%._-]{1,40}")) {
        throw node.at(name).refuse("names of scenarios: letters, digits and % . _ -, at most 40");
      }
      all.put(name, reader.read(name, node.at(name)));
    }
    if (all.isEmpty()) {
      throw node.refuse("at least one scenario");
    }
    List<NamedScenario> chosen = new ArrayList<>();
    if (top.find("loads").isPresent()) {
      for (ConfigNode item : top.at("loads").items()) {
        chosen.add(all.get(item.oneOf(all.keySet().toArray(String[]::new))));
      }
    }
    return chosen.isEmpty() ? List.copyOf(all.values()) : chosen;
  }

  private static List<Slo> slos(ConfigNode top) {
    List<Slo> slos = new ArrayList<>();
    if (top.find("goals").isEmpty()) {
      return List.of(
          new Slo("p99", 0.99, 150_000_000L),
          new Slo("p90", 0.9, 50_000_000L),
          new Slo("p50", 0.5, 25_000_000L));
    }
    ConfigNode node = top.at("goals");
    for (String label : node.names()) {
      if (!label.matches("p[0-9]{1,2}(\\.[0-9]{1,3})?") || label.matches("p0*(\\.0*)?")) {
        throw node.at(label).refuse("percentiles such as p99 or p99.9, and a latency for each");
      }
      long nanos = node.at(label).durationNanos(1, 3_600 * SECOND);
      slos.add(new Slo(label, Double.parseDouble(label.substring(1)) / 100, nanos));
    }
    if (slos.isEmpty()) {
      throw node.refuse("at least one goal");
    }
    return slos;
  }

  private static List<CacheArm> arms(Path file, ConfigNode node, List<String> chosen) {
    List<String> names = CommonSettings.arms(node);
    List<String> running = CommonSettings.chosen(chosen, names, file.toString());
    List<CacheArm> arms = new ArrayList<>();
    for (String name : names) {
      ConfigNode arm = node.at(name);
      String description = arm.find("description").map(ConfigNode::text).orElse("");
      CacheStrategy strategy = CacheStrategy.of(arm.at("cache"), () -> 1);
      arm.noOtherKeys();
      boolean learnt =
          strategy.name().equals(STATIC) && strategy.written().get("learn").startsWith("0");
      if (running.contains(name)) {
        arms.add(new CacheArm(name, description, strategy, learnt));
      }
    }
    return arms;
  }
}
