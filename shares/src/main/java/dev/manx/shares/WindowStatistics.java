/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Statistics of application servers over a window of time: the latencies of requests; in every bin
 * of latency, how often each backend had the slowest query and that query waited for a miss (it
 * <em>blocked</em> the request); and per backend hits, misses and latencies of misses. A request
 * whose slowest query found all keys in the cache, or bypassed it, belongs to no backend, because
 * no share would make it faster. Windows add up exactly, over servers and over time, so the
 * requests near any percentile can be attributed without a ring of raw records.
 *
 * <p>Immutable; made by {@link WindowRecorder}, sent by {@link WindowCodec}. Requests without
 * queries are excluded. Backends are identified by name, so servers may list them in different
 * orders.
 */
public final class WindowStatistics {
  /* RobinHood (OSDI'18, section 4) keeps the last million (latency, backend) pairs and sorts them.
   * A log histogram costs a known number of bytes instead and merges; a percentile's band is then
   * exact except for the two bins at its ends, which count in proportion. */

  /** Largest number of backends in a window. */
  public static final int MAX_BACKENDS = 4_096;

  /** Largest count in a window; sums saturate there. */
  static final long MAX_COUNT = Integer.MAX_VALUE;

  /** Largest sum of times in a window; sums saturate there. */
  static final long MAX_NANOS = 1_000L << 53;

  // Of a JVM with compressed references; arrays with their mean padding.
  private static final int ARRAY_BYTES = 20;
  private static final int REFERENCE_BYTES = 4;
  private static final int NAME_BYTES = 48;

  private final List<String> backends;
  // [bin][backend], and one more column for the requests that no share would make faster; a row
  // without requests is null.
  final int[][] blocked;
  final int[][] missBins;
  final long[] hits;
  final long[] hitNanos;
  final long[] misses;
  final long[] missNanos;
  final long[] shadowHits;
  final long[] queries;
  final long[] missQueries;
  final long timeOuts;
  private final long requests;

  WindowStatistics(
      List<String> backends,
      int[][] blocked,
      int[][] missBins,
      long[] hits,
      long[] hitNanos,
      long[] misses,
      long[] missNanos,
      long[] shadowHits,
      long[] queries,
      long[] missQueries,
      long timeOuts) {
    this.backends = backends;
    this.blocked = blocked;
    this.missBins = missBins;
    this.hits = hits;
    this.hitNanos = hitNanos;
    this.misses = misses;
    this.missNanos = missNanos;
    this.shadowHits = shadowHits;
    this.queries = queries;
    this.missQueries = missQueries;
    this.timeOuts = timeOuts;
    long sum = 0;
    for (int[] row : blocked) {
      sum += total(row);
    }
    this.requests = sum;
  }

  /** An empty window. */
  public static WindowStatistics empty(List<String> backends) {
    return new WindowRecorder(backends).cut();
  }

  /** The backends' names; the other methods take indices into this list. */
  public List<String> backends() {
    return backends;
  }

  /**
   * Estimate of the memory of this window, in bytes. Depends on how many bins have requests: a
   * window of few backends takes up to some 28 KB for each.
   */
  public long heldBytes() {
    long n = backends.size();
    long bytes = ARRAY_BYTES * 10 + REFERENCE_BYTES * (blocked.length + 2 * n) + 7 * Long.BYTES * n;
    for (int[] row : blocked) {
      bytes += row == null ? 0 : ARRAY_BYTES + (long) Integer.BYTES * row.length;
    }
    for (int[] row : missBins) {
      bytes += row == null ? 0 : ARRAY_BYTES + (long) Integer.BYTES * row.length;
    }
    for (String name : backends) {
      bytes += NAME_BYTES + (long) Character.BYTES * name.length();
    }
    return bytes;
  }

  /** Requests with at least one query that ended in the window. */
  public long requests() {
    return requests;
  }

  /** Requests that timed out. */
  public long timeOuts() {
    return timeOuts;
  }

  /** Queried keys that were answered by the cache, its second level included. */
  public long hits(int backend) {
    return hits[backend];
  }

  /**
   * Queried keys that the backend answered, or did not answer in time, coalesced ones included.
   * {@link AnswerTimes} tells which failures count.
   */
  public long misses(int backend) {
    return misses[backend];
  }

  /** Queries, of one or more keys, with at least one hit or miss. */
  public long queries(int backend) {
    return queries[backend];
  }

  /** Queries with at least one miss. */
  public long missQueries(int backend) {
    return missQueries[backend];
  }

  /** Misses that a slightly larger share would have answered (Cliffhanger's shadow queue). */
  public long shadowHits(int backend) {
    return shadowHits[backend];
  }

  /** Share of queried keys that were answered by the cache, 0 to 1; NaN without any. */
  public double hitRatio(int backend) {
    return hits[backend] / (double) (hits[backend] + misses[backend]);
  }

  /** Mean latency of misses in nanoseconds; NaN without misses. */
  public double meanMissNanos(int backend) {
    return misses[backend] == 0 ? Double.NaN : missNanos[backend] / (double) misses[backend];
  }

  /** Mean latency of hits in nanoseconds; NaN without hits. */
  public double meanHitNanos(int backend) {
    return hits[backend] == 0 ? Double.NaN : hitNanos[backend] / (double) hits[backend];
  }

  /** Requests that a backend blocked, of any latency. */
  public long blockedBy(int backend) {
    long sum = 0;
    for (int[] row : blocked) {
      sum += row == null ? 0 : row[backend];
    }
    return sum;
  }

  /** Total time of the requests that each backend blocked, in nanoseconds. */
  double[] blockedNanos() {
    double[] nanos = new double[backends.size()];
    for (int bin = 0; bin < blocked.length; bin++) {
      double middle = (LatencyBins.requestEdge(bin) + LatencyBins.requestEdge(bin + 1)) / 2.0;
      for (int b = 0; b < nanos.length && blocked[bin] != null; b++) {
        nanos[b] += middle * blocked[bin][b];
      }
    }
    return nanos;
  }

  /** Requests in one bin of {@link LatencyBins} that a backend blocked. */
  public int blockedBy(int backend, int bin) {
    return blocked[bin] == null ? 0 : blocked[bin][backend];
  }

  /** Requests in one bin of {@link LatencyBins}, whatever blocked them. */
  public long requestsIn(int bin) {
    return total(blocked[bin]);
  }

  /**
   * Latency of requests at a quantile, in nanoseconds, to the width of a bin (3 %).
   *
   * @param quantile 0 to 1
   * @return NaN without requests
   */
  public double requestNanos(double quantile) {
    double wanted = quantile * requests;
    double seen = 0;
    for (int bin = 0; bin < blocked.length; bin++) {
      long here = total(blocked[bin]);
      if (here > 0 && seen + here >= wanted) {
        return between(
            LatencyBins.requestEdge(bin),
            LatencyBins.requestEdge(bin + 1),
            Math.max(0, wanted - seen) / here);
      }
      seen += here;
    }
    return Double.NaN;
  }

  /**
   * Latency of a backend's {@link #hits} and {@link #misses} at a quantile, in nanoseconds, to the
   * width of a bin (13 %). Queries that are neither, such as uncached ones and those that failed at
   * once, are excluded. Hits are taken to be faster than misses: a quantile among them is their
   * mean.
   *
   * @return NaN without hits and misses
   */
  public double queryNanos(int backend, double quantile) {
    double wanted = quantile * (hits[backend] + misses[backend]) - hits[backend];
    if (wanted <= 0 || misses[backend] == 0) {
      return meanHitNanos(backend);
    }
    return missAt(backend, wanted);
  }

  /**
   * Latency of a backend's misses at a quantile, in nanoseconds, to the width of a bin (13 %).
   *
   * @return NaN without misses
   */
  double missNanos(int backend, double quantile) {
    return misses[backend] == 0 ? Double.NaN : missAt(backend, quantile * misses[backend]);
  }

  private double missAt(int backend, double wanted) {
    double seen = 0;
    for (int bin = 0; bin < LatencyBins.QUERY_BINS; bin++) {
      int here = missBins[backend] == null ? 0 : missBins[backend][bin];
      if (here > 0 && seen + here >= wanted) {
        return between(
            LatencyBins.queryEdge(bin), LatencyBins.queryEdge(bin + 1), (wanted - seen) / here);
      }
      seen += here;
    }
    return meanMissNanos(backend);
  }

  /**
   * The sum of two windows; counts saturate. It has the backends of both, those of this window
   * first.
   */
  public WindowStatistics plus(WindowStatistics other) {
    WindowRecorder sum = new WindowRecorder(union(other.backends));
    sum.add(this);
    sum.add(other);
    return sum.cut();
  }

  /** The sum of many windows; empty without any. */
  public static WindowStatistics sum(List<WindowStatistics> windows) {
    if (windows.isEmpty()) {
      return empty(List.of());
    }
    List<String> names = windows.get(0).backends;
    for (WindowStatistics window : windows) {
      names = window.union(names);
    }
    WindowRecorder sum = new WindowRecorder(names);
    windows.forEach(sum::add);
    return sum.cut();
  }

  /**
   * This window restricted to the given backends, in this order; requests blocked by other backends
   * are left out, those that belong to no backend are kept.
   */
  public WindowStatistics select(List<String> names) {
    if (names.equals(backends)) {
      return this;
    }
    WindowRecorder selected = new WindowRecorder(names);
    selected.add(this);
    return selected.cut();
  }

  /**
   * This window with backends merged.
   *
   * @param names of the units
   * @param unitOf for each backend of this window, the index of its unit
   */
  WindowStatistics rename(List<String> names, int[] unitOf) {
    WindowRecorder units = new WindowRecorder(names);
    units.add(this, unitOf);
    return units.cut();
  }

  private List<String> union(List<String> names) {
    if (names.equals(backends)) {
      return backends;
    }
    Map<String, Integer> all = places(names);
    List<String> union = new ArrayList<>(names);
    for (String name : backends) {
      if (!all.containsKey(name)) {
        union.add(name);
      }
    }
    return union;
  }

  static Map<String, Integer> places(List<String> names) {
    Map<String, Integer> places = new HashMap<>();
    for (int i = 0; i < names.size(); i++) {
      places.put(names.get(i), i);
    }
    return places;
  }

  private static long total(int[] row) {
    long sum = 0;
    if (row != null) {
      for (int count : row) {
        sum += count;
      }
    }
    return sum;
  }

  private static double between(long low, long high, double part) {
    return low + Math.min(1, part) * (high - low);
  }
}
