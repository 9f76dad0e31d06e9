/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** The distribution of the sizes of values. */
public sealed interface Sizes {
  /** Mean size of a value, for requests that do not specify a share of large values. */
  double meanBytes();

  /** Mean size of a small value. */
  double meanSmallBytes();

  /** Values from this size on are large. */
  int largeFromBytes();

  /** Share of reads of the large keys, for requests that do not specify this share. */
  double largeKeyShare();

  /** Draws a size for a request that does not specify a share of large values. */
  int any(ZigguratSampler.Exponential exponential, UniformRandomProvider random);

  /** Draws the size of a small value. */
  int small(ZigguratSampler.Exponential exponential);

  /** Draws the size of a large value. */
  int large();

  /**
   * Two sizes.
   *
   * @param smallBytes usual size
   * @param largeBytes size of a large value
   * @param largeShare share of large values among the reads of requests that do not specify it
   */
  record Two(int smallBytes, int largeBytes, double largeShare) implements Sizes {
    @Override
    public double meanBytes() {
      return smallBytes + largeShare * (largeBytes - smallBytes);
    }

    @Override
    public double meanSmallBytes() {
      return smallBytes;
    }

    @Override
    public int largeFromBytes() {
      return largeBytes;
    }

    @Override
    public double largeKeyShare() {
      return largeShare;
    }

    @Override
    public int any(ZigguratSampler.Exponential exponential, UniformRandomProvider random) {
      return largeShare > 0 && random.nextDouble() < largeShare ? largeBytes : smallBytes;
    }

    @Override
    public int small(ZigguratSampler.Exponential exponential) {
      return smallBytes;
    }

    @Override
    public int large() {
      return largeBytes;
    }
  }

  /**
   * The generalized Pareto distribution from 0, cut off at a maximum (Facebook ETC's continuous
   * part, SIGMETRICS'12: scale 214.476, shape 0.348238).
   *
   * @param scale above 0
   * @param shape in (0, 1)
   * @param maxBytes upper limit of draws
   * @param largeFromBytes values from this size on are large; small ones are drawn below it, so it
   *     is at least 2 if requests specify a share of large ones
   */
  record GeneralizedPareto(double scale, double shape, int maxBytes, int largeFromBytes)
      implements Sizes {
    /** Sizes are rounded to whole bytes. */
    private static final double ROUNDING = 0.5;

    @Override
    public double meanBytes() {
      return survivalUpTo(maxBytes);
    }

    @Override
    public double meanSmallBytes() {
      if (largeFromBytes > maxBytes) {
        return meanBytes();
      }
      double limit = largeFromBytes - ROUNDING;
      double larger = Math.pow(1 + shape * limit / scale, -1 / shape);
      return (survivalUpTo(limit) - limit * larger) / (1 - larger);
    }

    /** The integral of the survival function. */
    private double survivalUpTo(double bytes) {
      double rest = Math.pow(1 + shape * bytes / scale, 1 - 1 / shape);
      return scale / (1 - shape) * (1 - rest);
    }

    /** The keys have sizes of the whole distribution. */
    @Override
    public double largeKeyShare() {
      return 0;
    }

    @Override
    public int any(ZigguratSampler.Exponential exponential, UniformRandomProvider random) {
      return quantile(exponential.sample());
    }

    @Override
    public int small(ZigguratSampler.Exponential exponential) {
      return small(exponential.sample());
    }

    /** Like {@link #quantile}, but for the distribution below the large sizes. */
    int small(double e) {
      if (largeFromBytes > maxBytes) {
        return quantile(e);
      }
      // The exponential distribution has no memory, so the remainder is the draw below the limit.
      double limit = Math.log1p(shape * (largeFromBytes - ROUNDING) / scale) / shape;
      return Math.min(largeFromBytes - 1, quantile(e % limit));
    }

    /**
     * The size that a share {@code 1 - exp(-e)} of the values does not exceed.
     *
     * @param e from 0; standard exponential draws give draws of this distribution
     */
    int quantile(double e) {
      // U^-shape is exp(shape * E) for a standard exponential E = -ln U.
      double size = scale / shape * Math.expm1(shape * e);
      return (int) Math.max(1, Math.min(maxBytes, Math.round(size)));
    }

    @Override
    public int large() {
      return maxBytes;
    }
  }
}
