/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import dev.manx.simulator.kernel.Streams;
import java.util.List;
import java.util.function.ToIntBiFunction;

/**
 * Requests of given kinds over numeric keys. The keys of a request are distinct.
 *
 * @param kinds kinds of requests, shares summing to 1
 * @param sizes sizes of values
 * @param keys number of small keys, enough for every request; 0 for reads spread uniformly over
 *     replica groups without repeated keys
 * @param largeKeys number of large keys, enough for every request; 0 for as many as small ones
 * @param zipf skew of the keys, 0 for uniform
 */
public record SyntheticSpec(List<Widths> kinds, Sizes sizes, int keys, int largeKeys, double zipf)
    implements SourceSpec {
  /** Copies the list and checks the shares. */
  public SyntheticSpec {
    kinds = List.copyOf(kinds);
    double sum = kinds.stream().mapToDouble(Widths::share).sum();
    if (Math.abs(sum - 1) > 1e-9) {
      throw new IllegalArgumentException("shares of requests that add up to 1, not " + sum);
    }
    boolean enough =
        keys >= mostSmall(kinds, sizes)
            && (largeKeys > 0 ? largeKeys : keys) >= mostLarge(kinds, sizes);
    if (keys > 0 && !enough) {
      throw new IllegalArgumentException("a key for each read of the widest request");
    }
  }

  @Override
  public Source open(Streams streams, int nodes, long run) {
    return new SyntheticSource(this, streams, nodes);
  }

  @Override
  public double meanReads() {
    return kinds.stream().mapToDouble(kind -> kind.share() * kind.mean()).sum();
  }

  @Override
  public double meanBytes() {
    double bytes = 0;
    for (Widths kind : kinds) {
      double[] probability = kind.probability();
      double others = kind.specifiesLarge() ? sizes.meanSmallBytes() : sizes.meanBytes();
      for (int i = 0; i < probability.length; i++) {
        int large = largeReads(kind, i + 1);
        bytes +=
            kind.share()
                * probability[i]
                * (large * (double) sizes.large() + (i + 1 - large) * others);
      }
    }
    return bytes / meanReads();
  }

  @Override
  public int largeFromBytes() {
    return sizes.largeFromBytes();
  }

  /** The most small keys of a request. */
  public static int mostSmall(List<Widths> kinds, Sizes sizes) {
    boolean any = sizes.largeKeyShare() < 1;
    return most(kinds, (kind, large) -> any || kind.specifiesLarge() ? kind.widest() - large : 0);
  }

  /** The most large keys of a request. */
  public static int mostLarge(List<Widths> kinds, Sizes sizes) {
    boolean any = sizes.largeKeyShare() > 0;
    return most(kinds, (kind, large) -> any && !kind.specifiesLarge() ? kind.widest() : large);
  }

  /**
   * The maximum over the kinds' widest requests.
   *
   * @param count from a kind and the reads of its widest request that must have large values
   */
  private static int most(List<Widths> kinds, ToIntBiFunction<Widths, Integer> count) {
    return kinds.stream()
        .mapToInt(kind -> count.applyAsInt(kind, largeReads(kind, kind.widest())))
        .max()
        .orElseThrow();
  }

  /** Number of reads of a request that must have large values: the share of whole reads. */
  public static int largeReads(Widths kind, int reads) {
    return kind.largeShare() <= 0 ? 0 : (int) Math.round(kind.largeShare() * reads);
  }
}
