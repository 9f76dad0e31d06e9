/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Records a window. Confined to one thread or its owner's lock: with several threads, each has its
 * recorder, and {@link WindowStatistics#sum} adds up the windows that they {@link #cut}.
 */
public final class WindowRecorder {
  /**
   * Instead of the blocker of a request whose slowest query waited for no miss: no share could have
   * made it faster.
   */
  public static final int NO_SHARE = -1;

  private final List<String> backends;
  private int[][] blocked;
  private int[][] missBins;
  private long[] hits;
  private long[] hitNanos;
  private long[] misses;
  private long[] missNanos;
  private long[] shadowHits;
  private long[] queries;
  private long[] missQueries;
  private long timeOuts;

  /**
   * Records for these backends; the other methods refer to them by index.
   *
   * @throws IllegalArgumentException if a name is repeated or there are more than {@link
   *     WindowStatistics#MAX_BACKENDS}
   */
  public WindowRecorder(List<String> backends) {
    if (backends.size() > WindowStatistics.MAX_BACKENDS) {
      throw new IllegalArgumentException(
          backends.size() + " backends, at most " + WindowStatistics.MAX_BACKENDS);
    }
    if (new HashSet<>(backends).size() != backends.size()) {
      throw new IllegalArgumentException("a backend is listed twice in " + backends);
    }
    this.backends = List.copyOf(backends);
    clear();
  }

  /**
   * Records the end of a request with at least one query.
   *
   * @param nanos its latency
   * @param blocker the backend of its slowest query, or {@link #NO_SHARE}
   */
  public void request(long nanos, int blocker) {
    int column = blocker == NO_SHARE ? backends.size() : blocker;
    blockedIn(LatencyBins.ofRequest(nanos))[column]++;
  }

  private int[] blockedIn(int bin) {
    if (blocked[bin] == null) {
      blocked[bin] = new int[backends.size() + 1];
    }
    return blocked[bin];
  }

  /**
   * Records a request that timed out.
   *
   * @param nanos time until it was given up
   * @param oldestPending the backend of the query that had waited longest, which counts as the
   *     blocker; or {@link #NO_SHARE}
   */
  public void timedOut(long nanos, int oldestPending) {
    request(nanos, oldestPending);
    timeOuts++;
  }

  /** Records a query of one key that the cache answered in the given time. */
  public void hit(int backend, long nanos) {
    hits(backend, 1, nanos);
  }

  /** Records several queries of one key that the cache answered in the given time each. */
  public void hits(int backend, int count, long nanosEach) {
    queries[backend] += count;
    foundKeys(backend, count, nanosEach);
  }

  /** Records a query of one key that its backend answered in the given time. */
  public void miss(int backend, long nanos) {
    misses(backend, 1, nanos);
  }

  /** Records several queries of one key that their backend answered in the given time each. */
  public void misses(int backend, int count, long nanosEach) {
    queries[backend] += count;
    missQueries[backend] += count;
    missedKeys(backend, count, nanosEach);
  }

  /**
   * Records a query of several keys; without any key it is ignored.
   *
   * @param found keys that the cache had
   * @param foundNanos time until they were found
   * @param missed keys that the backend answered
   * @param missedNanos time until it answered
   */
  public void query(int backend, int found, long foundNanos, int missed, long missedNanos) {
    if (found + missed > 0) {
      query(backend, missed > 0);
    }
    if (found > 0) {
      foundKeys(backend, found, foundNanos);
    }
    if (missed > 0) {
      missedKeys(backend, missed, missedNanos);
    }
  }

  /**
   * Records a query whose keys are recorded separately.
   *
   * @param missed whether the cache lacked any of them
   */
  public void query(int backend, boolean missed) {
    queries[backend]++;
    missQueries[backend] += missed ? 1 : 0;
  }

  /** Records keys that the cache had, of a query that is recorded separately. */
  public void foundKeys(int backend, int count, long nanosEach) {
    hits[backend] += count;
    hitNanos[backend] += count * nanosEach;
  }

  /** Records keys that the backend answered, of a query that is recorded separately. */
  public void missedKeys(int backend, int count, long nanosEach) {
    misses[backend] += count;
    missNanos[backend] += count * nanosEach;
    if (missBins[backend] == null) {
      missBins[backend] = new int[LatencyBins.QUERY_BINS];
    }
    missBins[backend][LatencyBins.ofQuery(nanosEach)] += count;
  }

  /**
   * Records a miss that a slightly larger share would have answered, in addition to {@link #miss}.
   */
  public void shadowHit(int backend) {
    shadowHits[backend]++;
  }

  /** Adds a whole window without the data of unknown backends. */
  public void add(WindowStatistics other) {
    add(other, placesOf(other.backends()));
  }

  /** Adds a window whose backends have the given indices here; a negative index omits a backend. */
  void add(WindowStatistics other, int[] place) {
    for (int bin = 0; bin < blocked.length; bin++) {
      if (other.blocked[bin] != null) {
        addBlocked(bin, other.blocked[bin], place);
      }
    }
    for (int b = 0; b < place.length; b++) {
      int to = place[b];
      if (to < 0) {
        continue;
      }
      hits[to] = sum(hits[to], other.hits[b], WindowStatistics.MAX_COUNT);
      hitNanos[to] = sum(hitNanos[to], other.hitNanos[b], WindowStatistics.MAX_NANOS);
      missNanos[to] = sum(missNanos[to], other.missNanos[b], WindowStatistics.MAX_NANOS);
      shadowHits[to] = sum(shadowHits[to], other.shadowHits[b], WindowStatistics.MAX_COUNT);
      queries[to] = sum(queries[to], other.queries[b], WindowStatistics.MAX_COUNT);
      missQueries[to] = sum(missQueries[to], other.missQueries[b], WindowStatistics.MAX_COUNT);
      if (other.missBins[b] != null) {
        addMisses(to, other.missBins[b]);
      }
    }
    timeOuts = sum(timeOuts, other.timeOuts, WindowStatistics.MAX_COUNT);
  }

  private void addBlocked(int bin, int[] row, int[] place) {
    for (int column = 0; column < row.length; column++) {
      int to = column < place.length ? place[column] : backends.size();
      if (row[column] != 0 && to >= 0) {
        int[] sums = blockedIn(bin);
        sums[to] = (int) sum(sums[to], row[column], WindowStatistics.MAX_COUNT);
      }
    }
  }

  private void addMisses(int to, int[] bins) {
    if (missBins[to] == null) {
      missBins[to] = new int[LatencyBins.QUERY_BINS];
    }
    int[] sums = missBins[to];
    long total = misses[to];
    for (int bin = 0; bin < bins.length; bin++) {
      // Most bins are empty.
      if (bins[bin] != 0) {
        // Bins and total saturate together, so that they still agree.
        long more = Math.min(bins[bin], WindowStatistics.MAX_COUNT - total);
        sums[bin] += (int) more;
        total += more;
      }
    }
    misses[to] = total;
  }

  /** Saturates: one server's absurd counts must not stop the statistics of all. */
  private static long sum(long a, long b, long most) {
    return a > most - b ? most : a + b;
  }

  private int[] placesOf(List<String> others) {
    int[] place = new int[others.size()];
    boolean same = others.equals(backends);
    Map<String, Integer> places = same ? Map.of() : WindowStatistics.places(backends);
    for (int i = 0; i < place.length; i++) {
      place[i] = same ? i : places.getOrDefault(others.get(i), -1);
    }
    return place;
  }

  /** Returns the statistics since the last cut and starts afresh. */
  public WindowStatistics cut() {
    WindowStatistics window =
        new WindowStatistics(
            backends,
            blocked,
            missBins,
            hits,
            hitNanos,
            misses,
            missNanos,
            shadowHits,
            queries,
            missQueries,
            timeOuts);
    clear();
    return window;
  }

  private void clear() {
    int n = backends.size();
    blocked = new int[LatencyBins.REQUEST_BINS][];
    missBins = new int[n][];
    hits = new long[n];
    hitNanos = new long[n];
    misses = new long[n];
    missNanos = new long[n];
    shadowHits = new long[n];
    queries = new long[n];
    missQueries = new long[n];
    timeOuts = 0;
  }
}
