/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** The distribution of the sizes of values. */
public sealed interface Sizes {
  /** Mean size of a value if no request asks for large ones. */
  double meanBytes();

  /** Values from this size on are large. */
  int largeFromBytes();

  /** Share of reads of the large keys, where requests do not ask for large values. */
  double largeKeyShare();

  /** Draws the size of a small value. */
  int small(ZigguratSampler.Exponential exponential, UniformRandomProvider random);

  /** Draws the size of a large value. */
  int large();

  /**
   * Two sizes.
   *
   * @param smallBytes usual size
   * @param largeBytes size of a large value
   * @param largeShare share of large values, if requests do not specify it
   */
  record Two(int smallBytes, int largeBytes, double largeShare) implements Sizes {
    @Override
    public double meanBytes() {
      return smallBytes + largeShare * (largeBytes - smallBytes);
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
    public int small(ZigguratSampler.Exponential exponential, UniformRandomProvider random) {
      return largeShare > 0 && random.nextDouble() < largeShare ? largeBytes : smallBytes;
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
   * @param largeFromBytes values from this size on are large
   */
  record GeneralizedPareto(double scale, double shape, int maxBytes, int largeFromBytes)
      implements Sizes {
    @Override
    public double meanBytes() {
      // The integral of the survival function up to the maximum.
      double rest = Math.pow(1 + shape * maxBytes / scale, 1 - 1 / shape);
      return scale / (1 - shape) * (1 - rest);
    }

    /** Its keys have sizes of the whole distribution. */
    @Override
    public double largeKeyShare() {
      return 0;
    }

    @Override
    public int small(ZigguratSampler.Exponential exponential, UniformRandomProvider random) {
      return quantile(exponential.sample());
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
