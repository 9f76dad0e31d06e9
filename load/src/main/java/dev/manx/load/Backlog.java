/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/**
 * Outstanding requests at the intended starts in the window, averaged over its first, middle and
 * last fifth (Poisson arrivals see time averages).
 *
 * @param start mean over the first fifth
 * @param middle mean over the middle fifth
 * @param end mean over the last fifth
 */
public record Backlog(double start, double middle, double end) {
  private static final double NOISE_REQUESTS = 8;
  private static final double NOISE_SHARE = 0.25;

  /**
   * Whether the backlog grew throughout: from start to middle and from middle to end, each time by
   * more than noise (8 requests, or a quarter of the start).
   */
  public boolean growing() {
    return middle - start > noise(start) && end - middle > noise(start);
  }

  private static double noise(double outstanding) {
    return Math.max(NOISE_REQUESTS, NOISE_SHARE * outstanding);
  }

  /** Collects samples in the order of time; one thread. */
  static final class Sampler {
    private static final int FIFTHS = 5;
    private final double[] sum = new double[FIFTHS];
    private final long[] samples = new long[FIFTHS];

    /** Adds the number outstanding at a fraction (0..1) of the window. */
    void add(double share, long outstanding) {
      int fifth = Math.min(FIFTHS - 1, (int) (share * FIFTHS));
      sum[fifth] += outstanding;
      samples[fifth]++;
    }

    Backlog result() {
      return new Backlog(mean(0), mean(2), mean(4));
    }

    private double mean(int fifth) {
      return samples[fifth] == 0 ? 0 : sum[fifth] / samples[fifth];
    }
  }
}
