/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import dev.manx.policy.config.ConfigNode;
import dev.manx.shares.CacheStrategy;
import dev.manx.simulator.cache.CacheModel;
import dev.manx.simulator.cache.CacheRun;
import dev.manx.simulator.cache.Scenario;
import dev.manx.simulator.cache.Scenario.Spike;
import dev.manx.simulator.cache.Slo;
import dev.manx.simulator.cache.TraceQueries;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * System, requests and scenarios of an experiment on divided caches.
 *
 * @param workload the system and its requests
 * @param scale of cache, objects and durations
 * @param scenarios each is a load in the result files
 * @param reference scenario in which a fixed arm's shares are learnt
 * @param slos goals, the first is the one that the timeline follows most closely
 * @param pointEverySeconds between points of shares in the timeline, uncompressed
 */
record CacheSettings(
    Workload workload,
    double scale,
    List<NamedScenario> scenarios,
    LongFunction<Scenario> reference,
    List<Slo> slos,
    double pointEverySeconds) {
  private static final double QUICK_SCALE = 0.02;
  private static final long SECOND = 1_000_000_000L;

  /**
   * The system and its requests.
   *
   * @param trace requests to play, or null to draw them
   * @param paperHitRatios by backend, the range in percent that the paper gives under a shared LRU;
   *     empty for other workloads
   */
  record Workload(CacheModel model, TraceQueries trace, Map<String, double[]> paperHitRatios) {}

  /**
   * A scenario.
   *
   * @param of its course by seed
   * @param watched backends whose capacity changes
   * @param spikes when they are slow, where that is known beforehand
   */
  record NamedScenario(
      String name, LongFunction<Scenario> of, List<String> watched, List<Spike> spikes) {}

  static CacheSettings read(ConfigNode top, CacheWorkloadReader workloads, boolean quick) {
    Workload workload = workloads.read(top.at("model"));
    ScenarioReader reader = new ScenarioReader(workload.model());
    double scale = top.find("scale").map(n -> n.number(0.001, 1)).orElse(0.1);
    double every =
        top.find("timeline").map(n -> n.durationNanos(0, 3_600 * SECOND)).orElse(120 * SECOND)
            / (double) SECOND;
    return new CacheSettings(
        workload,
        quick ? Math.min(scale, QUICK_SCALE) : scale,
        scenarios(top, reader),
        reader.reference(),
        slos(top),
        every);
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

  /**
   * One run.
   *
   * @param initial shares, or null where the policy begins with its own
   * @param drawn whether it has points in the timeline
   */
  CacheRun run(
      NamedScenario scenario,
      CacheStrategy strategy,
      long seed,
      Map<String, Double> initial,
      boolean drawn) {
    return run(
        scenario.of().apply(seed),
        strategy,
        seed,
        initial,
        scenario.watched(),
        drawn ? pointEverySeconds : 0);
  }

  /** The run in which RobinHood finds a fixed arm's shares. */
  CacheRun referenceRun(long seed) {
    CacheStrategy robinhood = CacheStrategy.named("cache.robinhood");
    return run(reference.apply(seed), robinhood, seed, null, List.of(), 0);
  }

  private CacheRun run(
      Scenario scenario,
      CacheStrategy strategy,
      long seed,
      Map<String, Double> initial,
      List<String> watched,
      double every) {
    return new CacheRun(
        workload.model(),
        workload.trace(),
        scenario,
        scale,
        strategy,
        initial,
        slos,
        seed,
        watched,
        every);
  }
}
