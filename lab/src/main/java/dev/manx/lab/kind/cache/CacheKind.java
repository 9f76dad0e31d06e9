/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cache;

import dev.manx.lab.experiment.Arm;
import dev.manx.lab.experiment.ArmBound.Measures;
import dev.manx.lab.experiment.Experiment;
import dev.manx.lab.experiment.ExperimentSource;
import dev.manx.lab.experiment.Head;
import dev.manx.lab.experiment.KindWords;
import dev.manx.lab.experiment.KindWords.Note;
import dev.manx.lab.experiment.Measured.Mark;
import dev.manx.lab.experiment.Point;
import dev.manx.lab.experiment.Quiet;
import dev.manx.lab.experiment.SweepPoint;
import dev.manx.lab.experiment.SweptFile;
import dev.manx.lab.kind.cache.CacheModelSettings.NamedScenario;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import dev.manx.shares.CacheStrategy;
import dev.manx.simulator.cache.CacheModel;
import dev.manx.workload.result.RowKey;
import java.util.List;
import java.util.Map;

/** Experiments {@code on: cache}; docs/research/cache-simulation.md explains every key. */
public final class CacheKind {
  static final String ON = "cache";

  public static final KindWords WORDS =
      new KindWords(
          ON,
          "scenario",
          "Latency of whole fan-out requests, from the arrival of each to the answer"
              + " of its slowest query.",
          List.of(
              new Note(
                  "Simulated.",
                  "Application servers, caches and backends are a model in virtual time; the"
                      + " share policies and the controller are the objects that the client library"
                      + " runs. A request's latency counts from its arrival to the answer of its"
                      + " slowest query. Caches and durations were compressed by the experiment's"
                      + " scale; all times shown here are uncompressed. The section on the"
                      + " environment shows the results of the checkers for every run."),
              new Note(
                  "Rounds.",
                  "A round is a seed: all its arms get the same sequence of requests in the"
                      + " same scenario, and a query that misses in several arms has the same service"
                      + " time in all of them, so arms are compared inside rounds only. The same file"
                      + " gives the same numbers, bit for bit.")),
          false,
          false,
          false,
          "",
          "");

  public static final Section SECTION = CacheModelSettings.SECTION;

  private static final int QUICK_SEEDS = 1;
  // A round is a seed.
  private static final List<String> MEANINGLESS = List.of("rounds");

  private CacheKind() {}

  /** A scenario of an experiment or of a point of its sweep. */
  record At(CacheModelSettings settings, NamedScenario scenario) {}

  /** Reads a file. */
  public static Experiment<CacheStrategy, At> read(ExperimentSource source) {
    source
        .choices()
        .refuse(
            "requests",
            "not supported by `on: cache`; use --set scale=0.05, which shortens every scenario,"
                + " or with"
                + " a trace --set scenarios.NAME.warm-up=5min and .measured");
    SweptFile<CacheStrategy, At> whole =
        SweptFile.of(source, MEANINGLESS, sweep -> part(source, sweep));
    return whole.experiment(
        Experiment.Order.SIDE_BY_SIDE,
        "on " + Runtime.getRuntime().availableProcessors() + " cores",
        progress -> {
          shortTimelines(whole.points().get(0).settings().settings()).forEach(progress::warning);
          return new CachePlayer(
              whole.points().get(0),
              whole.head().seeds().get(0),
              source.files().contents(),
              progress);
        });
  }

  /** Scenarios whose timelines would be single points. */
  private static List<String> shortTimelines(CacheModelSettings settings) {
    double every = settings.pointEverySeconds();
    return settings.scenarios().stream()
        .filter(one -> one.of().apply(0).measuredSeconds() < 2 * every)
        .map(
            one ->
                "the timeline has a point every %s, less than two in scenario %s; --set timeline=5s"
                        .formatted(Units.duration(Math.round(every * 1e9)), one.name())
                    + " changes that")
        .toList();
  }

  /** The file as a whole, or with the settings of a point of its sweep. */
  private static SweptFile<CacheStrategy, At> part(ExperimentSource source, SweepPoint sweep) {
    Part top = SECTION.read(source.top(MEANINGLESS, sweep.settings()));
    Head head = source.seeded(top, QUICK_SEEDS, Measures.latencies(List.of(RowKey.ALL)));
    CacheModelSettings settings =
        CacheModelSettings.read(top, new CacheWorkloadReader(source.files()), source.choices());
    List<Arm<CacheStrategy>> arms =
        head.arms(top, (name, arm) -> strategy(arm, settings.workload().model()));
    top.put("scale", settings.scale());
    top.put("loads", settings.scenarios().stream().map(NamedScenario::name).toList());
    Map<String, Object> written = head.written(top);
    List<Point<CacheStrategy, At>> points =
        settings.scenarios().stream()
            .map(
                scenario ->
                    new Point<>(
                        scenario.name(),
                        RowKey.ALL,
                        sweep.params(),
                        sweep.params().isEmpty(),
                        1,
                        arms,
                        sweep.params().isEmpty() ? marks(scenario) : List.of(),
                        new At(settings, scenario)))
            .toList();
    return new SweptFile<>(head, Quiet.ANY, points, written);
  }

  /** Floor and page fit the cache, as in the client library. */
  private static CacheStrategy strategy(Part arm, CacheModel model) {
    ConfigNode node = arm.node("cache");
    CacheStrategy cache = CacheStrategy.of(node, () -> 1).forCapacity(model.cacheBytes());
    int backends = model.backends().size();
    long most = model.cacheBytes() / backends;
    if (cache.newPolicy().partitions() && cache.controller().floorBytes() > most) {
      throw (node.isMapping() ? node.find("floor").orElse(node) : node)
          .refuse(
              "a floor of at most %s: %d backends in a cache of %s"
                  .formatted(Units.bytes(most), backends, Units.bytes(model.cacheBytes())));
    }
    arm.put("cache", cache.written());
    return cache;
  }

  /** A band on the timelines for each time in which a backend is slow. */
  private static List<Mark> marks(NamedScenario scenario) {
    return scenario.spikes().stream()
        .map(
            spike ->
                new Mark(
                    spike.minutes().get(0) * 60,
                    spike.minutes().get(3) * 60,
                    spike.backend() + " slow"))
        .toList();
  }
}
