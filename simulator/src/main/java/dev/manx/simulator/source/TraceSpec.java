/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.source;

import dev.manx.simulator.kernel.Streams;
import dev.manx.simulator.kernel.Streams.Purpose;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The requests of a trace in their order. A run begins at a request drawn for its seed, and
 * continues with the first request when the trace ends. Immutable.
 */
public final class TraceSpec implements SourceSpec {
  private static final long STEP = 0x9E3779B97F4A7C15L;

  private final double[] atSeconds;
  private final int[] starts;
  private final int[] keys;
  private final int[] bytes;
  private final int largeFromBytes;
  private final boolean recordedTimes;

  /**
   * Creates a source; the arrays are not copied.
   *
   * @param atSeconds time of each request, not decreasing; used only with {@code recordedTimes}
   * @param starts place of the first read of each request, then the number of all reads
   * @param keys number of the key of each read, from 0
   * @param bytes size of the value of each read
   * @param largeFromBytes values from this size on are large
   * @param recordedTimes whether gaps between requests are those of the trace, instead of random;
   *     the load scales them
   * @throws IllegalArgumentException if there is no request, or if all requests have the same time
   *     and {@code recordedTimes} is set
   */
  public TraceSpec(
      double[] atSeconds,
      int[] starts,
      int[] keys,
      int[] bytes,
      int largeFromBytes,
      boolean recordedTimes) {
    this.atSeconds = atSeconds;
    this.starts = starts;
    this.keys = keys;
    this.bytes = bytes;
    this.largeFromBytes = largeFromBytes;
    this.recordedTimes = recordedTimes;
    if (starts.length < 2) {
      throw new IllegalArgumentException("at least one request");
    }
    if (recordedTimes && meanGapSeconds() <= 0) {
      throw new IllegalArgumentException("requests at different times");
    }
  }

  /** Number of requests. */
  public int requests() {
    return starts.length - 1;
  }

  private double meanGapSeconds() {
    int last = requests() - 1;
    return last == 0 ? 0 : (atSeconds[last] - atSeconds[0]) / last;
  }

  @Override
  public Source open(Streams streams, int nodes, long run) {
    int first = streams.sampler(Purpose.KEYS).nextInt(requests());
    return recordedTimes ? new Timed(first, nodes) : new Played(first, nodes);
  }

  private class Played implements Source {
    private final int nodes;
    int next;

    Played(int first, int nodes) {
      this.nodes = nodes;
      next = first;
    }

    @Override
    public void next(Draw draw) {
      draw.clear();
      for (int read = starts[next]; read < starts[next + 1]; read++) {
        long hash = Streams.mix((keys[read] + 1L) * STEP);
        int home = (int) Math.floorMod(hash >>> 8, (long) nodes);
        draw.add(hash, home, bytes[read], bytes[read] >= largeFromBytes);
      }
      next = next + 1 == requests() ? 0 : next + 1;
    }
  }

  private final class Timed extends Played implements TimedSource {
    Timed(int first, int nodes) {
      super(first, nodes);
    }

    /** The gap from the last request back to the first is the mean gap. */
    @Override
    public double gap() {
      return next == 0 ? 1 : (atSeconds[next] - atSeconds[next - 1]) / meanGapSeconds();
    }
  }

  @Override
  public double meanReads() {
    return (double) keys.length / requests();
  }

  @Override
  public double meanBytes() {
    return IntStream.of(bytes).average().orElseThrow();
  }

  @Override
  public int largeFromBytes() {
    return largeFromBytes;
  }

  /** Number of reads. */
  public int reads() {
    return keys.length;
  }

  /** Number of different keys. */
  public int keys() {
    return Arrays.stream(keys).max().orElse(-1) + 1;
  }
}
