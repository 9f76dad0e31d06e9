/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.workload;

/** A fan-out as a table of probabilities: entry i is the probability of i + 1 reads. */
final class WidthTable {
  private static final int BISECTIONS = 200;
  private static final int SIMPSON_STEPS = 64;

  /** Deviations from the mean that replace infinity: the omitted mass is below 1e-18. */
  private static final int DEVIATIONS = 9;

  private final double[] probability;

  private WidthTable(double[] probability) {
    this.probability = probability;
  }

  static WidthTable of(Fanout fanout) {
    if (fanout instanceof Fanout.Fixed fixed) {
      double[] p = new double[fixed.reads()];
      p[fixed.reads() - 1] = 1;
      return new WidthTable(p);
    }
    if (fanout instanceof Fanout.Zeta zeta) {
      return zeta(zeta);
    }
    if (fanout instanceof Fanout.Mix mix) {
      double[] p = new double[mix.maxReads()];
      mix.kinds().forEach(kind -> p[kind.reads() - 1] += kind.share());
      return new WidthTable(p);
    }
    return lognormal((Fanout.Lognormal) fanout);
  }

  double[] probabilities() {
    return probability.clone();
  }

  double mean() {
    double sum = 0;
    for (int i = 0; i < probability.length; i++) {
      sum += (i + 1) * probability[i];
    }
    return sum;
  }

  /** The mean falls as the exponent grows; 0 is the uniform distribution. */
  private static WidthTable zeta(Fanout.Zeta spec) {
    double low = 0;
    double high = 64;
    for (int i = 0; i < BISECTIONS; i++) {
      double middle = (low + high) / 2;
      if (zeta(spec, middle).mean() > spec.meanReads()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return zeta(spec, (low + high) / 2);
  }

  private static WidthTable zeta(Fanout.Zeta spec, double exponent) {
    double[] p = new double[spec.maxReads()];
    double sum = 0;
    for (int reads = 2; reads <= spec.maxReads(); reads++) {
      p[reads - 1] = Math.pow(reads / 2.0, -exponent);
      sum += p[reads - 1];
    }
    for (int i = 1; i < p.length; i++) {
      p[i] *= (1 - spec.singleShare()) / sum;
    }
    p[0] = spec.singleShare();
    return new WidthTable(p);
  }

  private static WidthTable lognormal(Fanout.Lognormal spec) {
    double[] p = new double[spec.maxReads()];
    double sum = 0;
    for (int reads = 1; reads <= spec.maxReads(); reads++) {
      double from = reads == 1 ? -DEVIATIONS : standard(spec, reads - 0.5);
      p[reads - 1] =
          normalMass(
              Math.max(-DEVIATIONS, from), Math.min(DEVIATIONS, standard(spec, reads + 0.5)));
      sum += p[reads - 1];
    }
    for (int i = 0; i < p.length; i++) {
      p[i] /= sum;
    }
    return new WidthTable(p);
  }

  /** The smallest maximum below which some of a lognormal's mass lies. */
  static int leastMax(double mu, double sigma) {
    return (int) Math.max(1, Math.floor(Math.exp(mu - DEVIATIONS * sigma) - 0.5) + 1);
  }

  private static double standard(Fanout.Lognormal spec, double reads) {
    return (Math.log(reads) - spec.mu()) / spec.sigma();
  }

  /** Mass of the standard normal distribution between two points, by Simpson's rule. */
  private static double normalMass(double from, double to) {
    if (to <= from) {
      return 0;
    }
    int steps = SIMPSON_STEPS * (int) Math.ceil(to - from);
    double width = (to - from) / steps;
    double sum = density(from) + density(to);
    for (int i = 1; i < steps; i++) {
      sum += (i % 2 == 0 ? 2 : 4) * density(from + i * width);
    }
    return sum * width / 3;
  }

  private static double density(double z) {
    return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  }
}
