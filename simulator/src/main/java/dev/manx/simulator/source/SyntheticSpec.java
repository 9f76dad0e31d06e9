/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import dev.manx.simulator.kernel.Streams;
import java.util.List;

/**
 * Requests of given kinds over numeric keys.
 *
 * @param kinds kinds of requests, shares summing to 1
 * @param sizes sizes of values
 * @param keys number of small keys; 0 for reads spread uniformly over replica groups without
 *     repeated keys
 * @param largeKeys number of large keys, if requests ask for large values
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
  }

  @Override
  public Source open(Streams streams, int nodes) {
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
      for (int i = 0; i < probability.length; i++) {
        int large = largeReads(kind, i + 1);
        bytes +=
            kind.share()
                * probability[i]
                * (large * (double) sizes.large() + (i + 1 - large) * sizes.meanBytes());
      }
    }
    return bytes / meanReads();
  }

  @Override
  public int largeFromBytes() {
    return sizes.largeFromBytes();
  }

  /** Number of reads of a request that must have large values. */
  static int largeReads(Widths kind, int reads) {
    return kind.largeShare() <= 0 ? 0 : (int) Math.round(kind.largeShare() * reads);
  }
}
