/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cache;

import dev.manx.policy.strategy.CacheStrategy;
import dev.manx.simulator.cache.CacheModel;
import dev.manx.simulator.cache.CacheRun;
import dev.manx.simulator.cache.Scenario;
import dev.manx.simulator.cache.Scenario.Spike;
import dev.manx.simulator.cache.Slo;
import dev.manx.simulator.cache.TraceQueries;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/**
 * An experiment on divided caches, resolved.
 *
 * @param name as it stands in the result files
 * @param baseline the arm the others are compared with
 * @param workload the system and its requests
 * @param scale of cache, objects and durations
 * @param scenarios each is a load in the result files
 * @param reference scenario in which a fixed arm's shares are learnt
 * @param slos goals, the first is the one that the timeline follows most closely
 * @param seeds each gives one sequence of requests, the same for all arms
 * @param pointEverySeconds between points of shares in the timeline, uncompressed
 * @param arms in the file's order
 * @param text of {@code experiment.yaml}
 */
record CacheExperiment(
    String name,
    String baseline,
    Workload workload,
    double scale,
    List<NamedScenario> scenarios,
    LongFunction<Scenario> reference,
    List<Slo> slos,
    List<Long> seeds,
    double pointEverySeconds,
    List<CacheArm> arms,
    String text) {
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

  /**
   * One side of a comparison.
   *
   * @param strategy how the cache is divided
   * @param learnt whether its initial shares are those that RobinHood has on average in the
   *     reference scenario
   */
  record CacheArm(String name, String description, CacheStrategy strategy, boolean learnt) {}

  /** One run. */
  CacheRun run(NamedScenario scenario, CacheArm arm, long seed, Map<String, Double> initial) {
    boolean drawn = seed == seeds.get(0);
    return new CacheRun(
        workload.model(),
        workload.trace(),
        scenario.of().apply(seed),
        scale,
        arm.strategy(),
        initial,
        slos,
        seed,
        scenario.watched(),
        drawn ? pointEverySeconds : 0);
  }

  /** The run in which RobinHood finds a fixed arm's shares. */
  CacheRun referenceRun(long seed) {
    return new CacheRun(
        workload.model(),
        workload.trace(),
        reference.apply(seed),
        scale,
        CacheStrategy.named("cache.robinhood"),
        null,
        slos,
        seed,
        List.of(),
        0);
  }
}
