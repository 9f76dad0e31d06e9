/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

import java.util.List;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.GuideTableDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.rng.simple.RandomSource;

/**
 * An endless, deterministic sequence of requests. Arrivals, widths and keys have separate random
 * sources, so a stream at another rate requests the same keys in the same order. One thread.
 */
public final class RequestStream implements Requests {
  private static final double NANOS_PER_SECOND = 1e9;

  private final KeySpace keySpace;
  private final double meanGapNanos;
  private final ZigguratSampler.Exponential gaps;

  /** Kinds of requests, or null if the fan-out is a distribution of widths. */
  private final List<RequestShape> kinds;

  /** Draws an index of a kind, or a width from 0. */
  private final DiscreteSampler widths;

  private final UniformRandomProvider sizes;
  private final KeyDraw anyKey;
  private final KeyDraw largeKey;
  private final KeyDraw smallKey;
  private final IdSet taken = new IdSet();
  private long sequence;
  private double clockNanos;

  RequestStream(Workload workload, double requestsPerSecond, long seed) {
    SettingCheck.that(
        requestsPerSecond > 0 && requestsPerSecond <= 1e9,
        "a rate must be above 0 and at most 1e9 requests a second, but is %s",
        requestsPerSecond);
    keySpace = workload.keySpace();
    meanGapNanos = NANOS_PER_SECOND / requestsPerSecond;
    boolean poisson = workload.spec().arrivals() == Arrivals.POISSON;
    gaps = poisson ? ZigguratSampler.Exponential.of(random(seed, 1)) : null;
    kinds = workload.spec().fanout() instanceof Fanout.Mix mix ? mix.kinds() : null;
    widths = GuideTableDiscreteSampler.of(random(seed, 2), chances(workload));
    sizes = random(seed, 4);
    Popularity popularity = workload.spec().popularity();
    anyKey = new KeyDraw(workload.ids(), popularity, random(seed, 3));
    largeKey = ofSize(workload.ids(true), popularity, random(seed, 5));
    smallKey = ofSize(workload.ids(false), popularity, random(seed, 6));
    clockNanos = poisson ? gapNanos() : 0;
  }

  private double[] chances(Workload workload) {
    return kinds == null
        ? workload.widths()
        : kinds.stream().mapToDouble(RequestShape::share).toArray();
  }

  private static KeyDraw ofSize(int[] ids, Popularity popularity, UniformRandomProvider random) {
    return ids.length == 0 ? null : new KeyDraw(ids, popularity, random);
  }

  @Override
  public PlannedRequest next() {
    int drawn = widths.sample();
    RequestShape kind = kinds == null ? null : kinds.get(drawn);
    int[] ids = new int[kind == null ? drawn + 1 : kind.reads()];
    taken.clear(ids.length);
    boolean large = false;
    for (int i = 0; i < ids.length; i++) {
      ids[i] = keys(kind).distinct(taken);
      large |= keySpace.large(ids[i]);
    }
    PlannedRequest request = new PlannedRequest(sequence++, Math.round(clockNanos), large, ids);
    clockNanos += gapNanos();
    return request;
  }

  private KeyDraw keys(RequestShape kind) {
    if (kind == null || kind.large().isEmpty()) {
      return anyKey;
    }
    return sizes.nextDouble() < kind.large().getAsDouble() ? largeKey : smallKey;
  }

  private double gapNanos() {
    return gaps == null ? meanGapNanos : gaps.sample() * meanGapNanos;
  }

  private static UniformRandomProvider random(long seed, int purpose) {
    return RandomSource.XO_SHI_RO_256_PP.create(Hashes.of(seed, purpose));
  }
}
