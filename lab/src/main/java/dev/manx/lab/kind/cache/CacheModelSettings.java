/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import dev.manx.lab.experiment.Choices;
import dev.manx.lab.experiment.CommonSettings;
import dev.manx.lab.settings.Document;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Named;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Scalar;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
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
 * @param reference scenario in which a fixed arm's shares are learned
 * @param slos goals; the timeline has the most points for the first
 * @param pointEverySeconds between points of shares in the timeline, uncompressed
 */
record CacheModelSettings(
    Workload workload,
    double scale,
    List<NamedScenario> scenarios,
    LongFunction<Scenario> reference,
    List<Slo> slos,
    double pointEverySeconds) {
  private static final double SCALE = 0.1;
  private static final double QUICK_SCALE = 0.02;

  private static final Named GOALS =
      new Named(
          "(?!p0*(\\.0*)?$)p[0-9]{1,2}(\\.[0-9]{1,3})?",
          "percentiles such as p99 or p99.9, and a latency for each",
          new Scalar(Setting.duration("goals", "1ms", "1ns", "1h", "latency at this percentile")));

  static final Section SECTION =
      CommonSettings.top(
              CacheKind.ON,
              Section.of(
                  CommonSettings.DESCRIPTION,
                  Key.required(
                      "cache",
                      new Document("cache", "a share policy, or a mapping with its settings"),
                      "division of the cache")),
              Key.required("model", CacheWorkloadReader.SECTION, "the system"),
              Key.optional(
                      Setting.number(
                          "scale",
                          SCALE,
                          0.001,
                          1,
                          "compresses cache, objects and durations; results are uncompressed; a"
                              + " trace allows only 1"))
                  .otherwise("0.1, with a trace 1"),
              Key.required(
                  "scenarios",
                  new Named(
                      "[A-Za-z0-9%._-]{1,40}",
                      "names of scenarios: letters, digits and % . _ -, at most 40",
                      ScenarioReader.SHAPE),
                  "changes of the backends' capacities; each is a load of the results"),
              Key.optionalItems(Setting.anyText("loads", null, "scenarios to play"))
                  .otherwise("all"),
              Key.optional("goals", GOALS, "latencies by percentile")
                  .otherwise("p99 150ms, p90 50ms and p50 25ms"),
              CommonSettings.SEEDS,
              Key.of(
                  Setting.duration(
                      "timeline", "120s", "0", "1h", "interval between the timeline's points")),
              CommonSettings.SWEEP)
          .and(CommonSettings.PUBLISHED);

  /**
   * The system and its requests.
   *
   * @param trace requests to play, or null to draw them
   * @param paperHitRatios by backend, the paper's range in percent under a shared LRU; empty for
   *     other workloads
   * @param traceWords describes the trace; empty without one
   */
  record Workload(
      CacheModel model,
      TraceQueries trace,
      Map<String, double[]> paperHitRatios,
      String traceWords) {
    /** Whether it is the paper's workload, whose backends 1, 5, 6 and 8 have its spikes. */
    boolean isOnerf() {
      return !paperHitRatios.isEmpty();
    }
  }

  /**
   * A scenario.
   *
   * @param of its course by seed
   * @param watched backends whose capacity changes
   * @param spikes times when they are slow, if known in advance
   */
  record NamedScenario(
      String name, LongFunction<Scenario> of, List<String> watched, List<Spike> spikes) {}

  static CacheModelSettings read(Part top, CacheWorkloadReader workloads, Choices choices) {
    Workload workload = workloads.read(top.part("model"));
    ScenarioReader reader = new ScenarioReader(workload);
    return new CacheModelSettings(
        workload,
        scale(top, workload.trace() != null, choices),
        scenarios(top, reader),
        reader.reference(),
        slos(top),
        top.number("timeline") / 1e9);
  }

  /**
   * The scale; 1 for a trace, because a smaller cache for its objects would be another experiment.
   */
  private static double scale(Part top, boolean isTrace, Choices choices) {
    if (isTrace) {
      if (top.has("scale") && top.real("scale") != 1) {
        throw top.node("scale").refuse("1 with a trace, whose objects cannot be scaled");
      }
      return 1;
    }
    double scale = top.has("scale") ? top.real("scale") : SCALE;
    return choices.quick() && !choices.gives("scale") ? Math.min(scale, QUICK_SCALE) : scale;
  }

  private static List<NamedScenario> scenarios(Part top, ScenarioReader reader) {
    Map<String, NamedScenario> all = new LinkedHashMap<>();
    top.named("scenarios", Part.class)
        .forEach((name, one) -> all.put(name, reader.read(name, one)));
    if (all.isEmpty()) {
      throw top.node("scenarios").refuse("at least one scenario");
    }
    List<NamedScenario> chosen = new ArrayList<>();
    if (top.has("loads")) {
      for (ConfigNode item : top.node("loads").items()) {
        chosen.add(all.get(item.oneOf(all.keySet().toArray(String[]::new))));
      }
    }
    if (chosen.isEmpty()) {
      return List.copyOf(all.values());
    }
    CommonSettings.checkLoads(top, top.words("loads"), "scenario");
    return chosen;
  }

  private static List<Slo> slos(Part top) {
    if (!top.has("goals")) {
      return List.of(
          new Slo("p99", 0.99, 150_000_000L),
          new Slo("p90", 0.9, 50_000_000L),
          new Slo("p50", 0.5, 25_000_000L));
    }
    List<Slo> slos = new ArrayList<>();
    top.named("goals", Long.class)
        .forEach(
            (label, nanos) ->
                slos.add(new Slo(label, Double.parseDouble(label.substring(1)) / 100, nanos)));
    if (slos.isEmpty()) {
      throw top.node("goals").refuse("at least one goal");
    }
    return slos;
  }

  /**
   * One run.
   *
   * @param initial shares, or null if the policy chooses them
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

  /**
   * The run in which RobinHood, with the settings of a fixed arm, determines that arm's shares.
   *
   * @param robinhood of {@link #teacher}
   */
  CacheRun referenceRun(CacheStrategy robinhood, long seed) {
    return run(reference.apply(seed), robinhood, seed, null, List.of(), 0);
  }

  /** The policy that determines the shares of a fixed arm. */
  static CacheStrategy teacher(CacheStrategy fixed) {
    return fixed.withPolicy("cache.robinhood");
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
