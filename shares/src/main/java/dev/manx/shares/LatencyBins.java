/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * Logarithmic bins of latency from 1 us to 137 s: {@value #PER_OCTAVE} to an octave for requests (a
 * bin is at most 3.1 % wide), four times coarser for queries. Latencies outside the range count in
 * the first or last bin.
 */
public final class LatencyBins {
  /** Bins of a request's latency in each doubling. */
  public static final int PER_OCTAVE = 32;

  private static final int SHIFT = 5;
  private static final int FIRST_OCTAVE = 10;
  private static final int OCTAVES = 27;

  /** Bins of requests. */
  public static final int REQUEST_BINS = OCTAVES * PER_OCTAVE;

  /** Bins of requests in each bin of queries. */
  static final int COARSER = 4;

  /** Bins of queries. */
  public static final int QUERY_BINS = REQUEST_BINS / COARSER;

  private LatencyBins() {}

  /** The bin of a request with the given latency in nanoseconds. */
  public static int ofRequest(long nanos) {
    if (nanos < 1L << FIRST_OCTAVE) {
      return 0;
    }
    int octave = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
    int bin = (octave - FIRST_OCTAVE) * PER_OCTAVE + (int) (nanos >>> (octave - SHIFT) & 31);
    return Math.min(bin, REQUEST_BINS - 1);
  }

  /** The bin of a query with the given latency in nanoseconds. */
  public static int ofQuery(long nanos) {
    return ofRequest(nanos) / COARSER;
  }

  /**
   * Lower end of a bin of requests in nanoseconds; for the index after the last, the end of the
   * range.
   */
  public static long requestEdge(int bin) {
    int octave = bin / PER_OCTAVE + FIRST_OCTAVE;
    return (1L << octave) + ((long) (bin % PER_OCTAVE) << (octave - SHIFT));
  }

  /** Lower end of a bin of queries in nanoseconds. */
  public static long queryEdge(int bin) {
    return requestEdge(bin * COARSER);
  }
}
