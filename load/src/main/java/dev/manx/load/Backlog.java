/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Requests that are due and not ended, at the starts of those in the window, averaged over its
 * first, middle and last fifth (Poisson arrivals see time averages). Requests that the generator
 * has not yet sent, because it is late, are part of it.
 *
 * @param start mean over the first fifth
 * @param middle mean over the middle fifth
 * @param end mean over the last fifth
 * @param fullEarly whether it stayed at a ceiling from the first fifth to the middle one: in each
 *     of these, more than 1 % of the requests were not sent or timed out
 * @param fullLate likewise from the middle fifth to the last one
 */
public record Backlog(
    double start, double middle, double end, boolean fullEarly, boolean fullLate) {
  private static final double NOISE_REQUESTS = 8;
  private static final double NOISE_SHARE = 0.25;

  /**
   * Whether the backlog grew throughout: from start to middle and from middle to end, each time by
   * more than noise (8 requests, or a quarter of the start), or it stayed at a ceiling, where a
   * limit of requests in flight or a time-out ends the growth. A pause in a part of the window is
   * neither.
   */
  public boolean growing() {
    return (fullEarly || middle - start > noise(start))
        && (fullLate || end - middle > noise(start));
  }

  private static double noise(double outstanding) {
    return Math.max(NOISE_REQUESTS, NOISE_SHARE * outstanding);
  }

  /** Collects samples; {@link #add} by one thread in the order of time. */
  static final class Sampler {
    private static final int FIFTHS = 5;
    private static final int MIDDLE = 2;
    private static final double UNSERVED_SHARE = 0.01;
    private final double[] sum = new double[FIFTHS];
    private final long[] samples = new long[FIFTHS];
    private final AtomicLongArray unserved = new AtomicLongArray(FIFTHS);

    /** Adds a request at a fraction (0..1) of the window, with the backlog that it meets. */
    void add(double share, double outstanding) {
      int fifth = fifth(share);
      sum[fifth] += outstanding;
      samples[fifth]++;
    }

    /** Counts an added request that was not sent or timed out; any thread. */
    void unserved(double share) {
      unserved.incrementAndGet(fifth(share));
    }

    /** Once all requests have ended. */
    Backlog result() {
      return new Backlog(
          mean(0), mean(MIDDLE), mean(FIFTHS - 1), isFull(0, MIDDLE), isFull(MIDDLE, FIFTHS - 1));
    }

    private static int fifth(double share) {
      return Math.min(FIFTHS - 1, (int) (share * FIFTHS));
    }

    private double mean(int fifth) {
      return samples[fifth] == 0 ? 0 : sum[fifth] / samples[fifth];
    }

    private boolean isFull(int from, int to) {
      for (int fifth = from; fifth <= to; fifth++) {
        if (unserved.get(fifth) <= UNSERVED_SHARE * samples[fifth]) {
          return false;
        }
      }
      return true;
    }
  }
}
