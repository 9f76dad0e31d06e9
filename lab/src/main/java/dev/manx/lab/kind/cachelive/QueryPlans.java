/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cachelive;

import dev.manx.lab.kind.cachelive.LiveSettings.BackendPlan;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.SharedStateDiscreteSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * The queries of each request: its backends, each with a separate probability and at least one, and
 * their keys. A function of the seed, the request's number and its time alone, so equal for all
 * arms of a round. Any thread.
 */
final class QueryPlans {
  private static final int MOST_KEYS = 100;
  private static final int TRIES = 200;

  private final List<BackendPlan> backends;
  private final long seed;
  private final Optional<BackendFaults.Shift> shift;

  QueryPlans(List<BackendPlan> backends, long seed, Optional<BackendFaults.Shift> shift) {
    this.backends = backends;
    this.seed = seed;
    this.shift = shift;
  }

  /**
   * Keys by backend of one request.
   *
   * @param sinceWindowNanos its intended start
   */
  Map<BackendPlan, Set<Integer>> of(long sequence, long sinceWindowNanos) {
    UniformRandomProvider random =
        RandomSource.XO_SHI_RO_256_PP.create(seed * 0x9E3779B97F4A7C15L + sequence);
    Map<BackendPlan, Set<Integer>> plan = new LinkedHashMap<>();
    for (BackendPlan backend : backends) {
      if (random.nextDouble() < backend.inShare()) {
        plan.put(backend, keys(backend, random, sinceWindowNanos));
      }
    }
    if (plan.isEmpty()) {
      BackendPlan any = backends.get(random.nextInt(backends.size()));
      plan.put(any, keys(any, random, sinceWindowNanos));
    }
    return plan;
  }

  private Set<Integer> keys(
      BackendPlan backend, UniformRandomProvider random, long sinceWindowNanos) {
    int moved = shift.map(one -> one.keys(backend, sinceWindowNanos)).orElse(0);
    SharedStateDiscreteSampler ranks =
        backend.zipf() == 0
            ? null
            : RejectionInversionZipfSampler.of(random, backend.keys(), backend.zipf());
    int wanted = Math.min(batch(backend.meanBatch(), random), backend.keys() / 2);
    Set<Integer> keys = new LinkedHashSet<>();
    for (int i = 0; i < TRIES && (keys.isEmpty() || keys.size() < wanted); i++) {
      int rank = ranks == null ? random.nextInt(backend.keys()) : ranks.sample() - 1;
      keys.add((rank + moved) % backend.keys());
    }
    return keys;
  }

  /** Geometric from 1 with a mean. */
  private static int batch(double mean, UniformRandomProvider random) {
    if (mean <= 1) {
      return 1;
    }
    double drawn = Math.log(1 - random.nextDouble()) / Math.log(1 - 1 / mean);
    return (int) Math.max(1, Math.min(MOST_KEYS, Math.ceil(drawn)));
  }
}
