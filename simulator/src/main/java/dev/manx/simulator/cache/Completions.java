/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import dev.manx.shares.WindowRecorder;
import dev.manx.simulator.kernel.EventQueue;
import java.util.Arrays;

/** Queries and requests in progress, by their ends. Their outcomes become visible only then. */
final class Completions {
  private static final int NOTHING = -1;
  private static final int REQUEST = -2;

  /** How a query or a request ends. */
  enum End {
    /** The query was answered by the backend, or the request was answered. */
    ANSWERED,
    /** The backend failed. */
    FAILED,
    /** A query that waited for the load of another one. */
    JOINED,
    /** The backend answered a query that bypassed the cache. */
    UNCACHED,
    /** The backend failed a query that bypassed the cache. */
    UNCACHED_FAILED,
    /** The last query of a request to this backend, some of which were not in the cache. */
    LAST
  }

  private final EventQueue queue = new EventQueue();
  private long[] latencies = new long[1 << 10];
  private int[] servers = new int[1 << 10];
  // The backend of a miss; or, as a negative number, the blocker of a request.
  private int[] backends = new int[1 << 10];
  private End[] ends = new End[1 << 10];
  private int[] nextFree = new int[1 << 10];
  private int firstFree = NOTHING;
  private int made;

  void miss(long nowNanos, long latencyNanos, int server, int backend, End end) {
    add(nowNanos, latencyNanos, server, backend, end);
  }

  /**
   * Adds a request.
   *
   * @param blocker as for {@link WindowRecorder#request}
   * @param fails whether one of its queries fails
   */
  void request(long nowNanos, long latencyNanos, int server, int blocker, boolean fails) {
    End end = fails ? End.FAILED : End.ANSWERED;
    add(nowNanos, latencyNanos, server, REQUEST - blocker, end);
  }

  private void add(long nowNanos, long latencyNanos, int server, int backend, End end) {
    int place = firstFree;
    if (place == NOTHING) {
      place = made++;
      if (place == latencies.length) {
        latencies = Arrays.copyOf(latencies, place * 2);
        servers = Arrays.copyOf(servers, place * 2);
        backends = Arrays.copyOf(backends, place * 2);
        ends = Arrays.copyOf(ends, place * 2);
        nextFree = Arrays.copyOf(nextFree, place * 2);
      }
    } else {
      firstFree = nextFree[place];
    }
    latencies[place] = latencyNanos;
    servers[place] = server;
    backends[place] = backend;
    ends[place] = end;
    queue.add(nowNanos + latencyNanos, place);
  }

  /** The next end; the largest long if none is in progress. */
  long nextNanos() {
    return queue.size() == 0 ? Long.MAX_VALUE : queue.headTime();
  }

  /** Number of requests in progress, counted separately. */
  long requests() {
    boolean[] free = new boolean[made];
    for (int place = firstFree; place != NOTHING; place = nextFree[place]) {
      free[place] = true;
    }
    long count = 0;
    for (int place = 0; place < made; place++) {
      count += !free[place] && backends[place] < 0 ? 1 : 0;
    }
    return count;
  }

  /** Removes the next one and passes it to the listener. */
  void pop(Listener listener) {
    int place = (int) queue.headStamp();
    queue.removeHead();
    nextFree[place] = firstFree;
    firstFree = place;
    if (backends[place] >= 0) {
      listener.missed(servers[place], backends[place], latencies[place], ends[place]);
    } else {
      boolean failed = ends[place] == End.FAILED;
      listener.ended(servers[place], REQUEST - backends[place], latencies[place], failed);
    }
  }

  /** Receives ended queries and requests. */
  interface Listener {
    void missed(int server, int backend, long latencyNanos, End end);

    void ended(int server, int blocker, long latencyNanos, boolean failed);
  }
}
