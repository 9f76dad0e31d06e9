/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import dev.manx.workload.IdSet;
import dev.manx.workload.KeyDraw;
import dev.manx.workload.Popularity;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.DiscreteSampler;
import org.apache.commons.rng.sampling.distribution.GuideTableDiscreteSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** Draws requests according to a {@link SyntheticSpec}. */
final class SyntheticSource implements Source {
  private static final long LARGE_SALT = 1L << 40;

  private final Widths[] kinds;
  private final DiscreteSampler kind;
  private final DiscreteSampler[] widths;
  private final Sizes sizes;
  private final int nodes;
  private final boolean keyed;
  private final UniformRandomProvider keyRandom;
  private final KeyDraw smallKeys;
  private final KeyDraw largeKeys;
  private final IdSet smallTaken = new IdSet();
  private final IdSet largeTaken = new IdSet();
  private final int firstRank;
  private final UniformRandomProvider sizeRandom;
  private final ZigguratSampler.Exponential exponential;
  private final long sizeSeed;

  SyntheticSource(SyntheticSpec spec, Streams streams, int nodes) {
    this.nodes = nodes;
    kinds = spec.kinds().toArray(Widths[]::new);
    UniformRandomProvider widthRandom = streams.sampler(Purpose.WIDTHS);
    double[] shares = new double[kinds.length];
    widths = new DiscreteSampler[kinds.length];
    for (int i = 0; i < kinds.length; i++) {
      shares[i] = kinds[i].share();
      widths[i] = GuideTableDiscreteSampler.of(widthRandom, kinds[i].probability());
    }
    kind = kinds.length == 1 ? () -> 0 : GuideTableDiscreteSampler.of(widthRandom, shares);
    sizes = spec.sizes();
    keyed = spec.keys() > 0;
    keyRandom = streams.sampler(Purpose.KEYS);
    Popularity popularity = new Popularity.Zipf(spec.zipf());
    smallKeys = keyed ? new KeyDraw(spec.keys(), popularity, keyRandom) : null;
    largeKeys =
        keyed && spec.largeKeys() > 0
            ? new KeyDraw(spec.largeKeys(), popularity, keyRandom)
            : smallKeys;
    firstRank = spec.zipf() > 0 ? 1 : 0;
    sizeRandom = streams.sampler(Purpose.SIZES);
    exponential = ZigguratSampler.Exponential.of(sizeRandom);
    sizeSeed = streams.generator(Purpose.SIZES, 0).nextLong();
  }

  @Override
  public void next(Draw draw) {
    draw.clear();
    int which = kind.sample();
    int reads = widths[which].sample() + 1;
    boolean specified = kinds[which].specifiesLarge();
    int large = SyntheticSpec.largeReads(kinds[which], reads);
    if (keyed) {
      smallTaken.clear(reads);
      largeTaken.clear(reads);
    }
    for (int i = 0; i < reads; i++) {
      boolean asked = i < large;
      if (keyed && !asked && sizes instanceof Sizes.GeneralizedPareto pareto) {
        long hash = smallHash();
        int bytes = pareto.quantile(exponentialOf(hash));
        if (specified && bytes >= pareto.largeFromBytes()) {
          // A key with a small value is read instead.
          hash = Streams.mix(hash);
          bytes = pareto.small(exponentialOf(hash));
        }
        draw.add(hash, home(hash), bytes, bytes >= pareto.largeFromBytes());
        continue;
      }
      int bytes = asked ? sizes.large() : others(specified);
      boolean isLarge = bytes >= sizes.largeFromBytes();
      if (keyed) {
        // Large and small keys are distinct, even if both kinds are drawn by size.
        boolean other = asked || isLarge;
        long hash = other ? largeHash() : smallHash();
        draw.add(hash, home(hash), bytes, isLarge);
      } else {
        draw.add(keyRandom.nextLong(), keyRandom.nextInt(nodes), bytes, isLarge);
      }
    }
  }

  /** Size of a read that need not have a large value. */
  private int others(boolean specified) {
    return specified ? sizes.small(exponential) : sizes.any(exponential, sizeRandom);
  }

  /** A small key that the request does not read yet. */
  private long smallHash() {
    return hash(firstRank + smallKeys.distinct(smallTaken));
  }

  /** A large key that the request does not read yet. */
  private long largeHash() {
    return hash(LARGE_SALT + firstRank + largeKeys.distinct(largeTaken));
  }

  private static long hash(long rank) {
    return Streams.mix(rank * 0x9E3779B97F4A7C15L + 1);
  }

  private int home(long hash) {
    return (int) Math.floorMod(hash >>> 8, (long) nodes);
  }

  /** A standard exponential draw that is the same at every read of a key. */
  private double exponentialOf(long hash) {
    double unit = ((Streams.mix(hash ^ sizeSeed) >>> 11) + 1) * 0x1p-53;
    return -Math.log(unit);
  }
}
