/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.GuideTableDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.RejectionInversionZipfSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * An endless, deterministic sequence of requests. Arrivals, widths and keys have separate random
 * sources, so a stream at another rate requests the same keys in the same order. One thread.
 */
public final class RequestStream implements Requests {
  private static final double NANOS_PER_SECOND = 1e9;
  private static final int MAX_TRIES = 64;

  private final Workload workload;
  private final KeySpace keySpace;
  private final double meanGapNanos;
  private final ZigguratSampler.Exponential gaps;
  private final DiscreteSampler widths;
  private final DiscreteSampler ranks;
  private final IdSet taken = new IdSet();
  private long sequence;
  private double clockNanos;

  RequestStream(Workload workload, double requestsPerSecond, long seed) {
    SettingCheck.that(
        requestsPerSecond > 0 && requestsPerSecond <= 1e9,
        "a rate lies above 0 and up to 1e9 requests a second, not %s",
        requestsPerSecond);
    this.workload = workload;
    keySpace = workload.keySpace();
    meanGapNanos = NANOS_PER_SECOND / requestsPerSecond;
    boolean poisson = workload.spec().arrivals() == Arrivals.POISSON;
    gaps = poisson ? ZigguratSampler.Exponential.of(random(seed, 1)) : null;
    widths = GuideTableDiscreteSampler.of(random(seed, 2), workload.widths());
    ranks = ranks(workload.spec(), random(seed, 3));
    clockNanos = poisson ? gapNanos() : 0;
  }

  @Override
  public PlannedRequest next() {
    int reads = widths.sample() + 1;
    int[] ids = new int[reads];
    taken.clear(reads);
    boolean large = false;
    for (int i = 0; i < reads; i++) {
      ids[i] = distinctId();
      large |= keySpace.large(ids[i]);
    }
    PlannedRequest request = new PlannedRequest(sequence++, Math.round(clockNanos), large, ids);
    clockNanos += gapNanos();
    return request;
  }

  private double gapNanos() {
    return gaps == null ? meanGapNanos : gaps.sample() * meanGapNanos;
  }

  /** Draws until the key is new; after a bounded number of tries takes the next free rank. */
  private int distinctId() {
    int rank = ranks.sample();
    for (int tries = 1; tries < MAX_TRIES; tries++) {
      int id = workload.idOfRank(rank);
      if (taken.add(id)) {
        return id;
      }
      rank = ranks.sample();
    }
    while (!taken.add(workload.idOfRank(rank))) {
      rank = (rank + 1) % keySpace.keys();
    }
    return workload.idOfRank(rank);
  }

  private static DiscreteSampler ranks(WorkloadSpec spec, UniformRandomProvider random) {
    int keys = spec.keys();
    if (spec.popularity() instanceof Popularity.Zipf zipf && zipf.exponent() > 0) {
      DiscreteSampler fromOne = RejectionInversionZipfSampler.of(random, keys, zipf.exponent());
      return () -> fromOne.sample() - 1;
    }
    return () -> random.nextInt(keys);
  }

  private static UniformRandomProvider random(long seed, int purpose) {
    return RandomSource.XO_SHI_RO_256_PP.create(Hashes.of(seed, purpose));
  }
}
