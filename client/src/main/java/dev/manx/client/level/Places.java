/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.policy.NanoClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tracks which servers of a second level are reachable. A server is lost after three failures in a
 * row. Then single trial operations are sent to it, first after 100 ms, then after intervals that
 * double up to 2 s; the first success makes it reachable again. Thread-safe.
 */
final class Places {
  /* A replaced server of a Cluster leaves its name behind; a Cluster has at most a thousand
   * servers. */
  private static final int MOST = 2_000;

  private static final int FAILURES_IN_A_ROW = 3;
  private static final long FIRST_WAIT_NANOS = Duration.ofMillis(100).toNanos();
  private static final long LONGEST_WAIT_NANOS = Duration.ofSeconds(2).toNanos();

  private static final class Place {
    // Guarded by this.
    private int failures;
    private long waitNanos;
    private long againNanos;
    private boolean tried;

    private void defer(long now) {
      waitNanos = Math.min(LONGEST_WAIT_NANOS, Math.max(FIRST_WAIT_NANOS, 2 * waitNanos));
      againNanos = now + waitNanos;
    }
  }

  private final NanoClock clock;
  private final Runnable onTrouble;
  private final Map<String, Place> troubled = new ConcurrentHashMap<>();

  /**
   * @param onTrouble called when a server is lost, and after each failed trial
   */
  Places(NanoClock clock, Runnable onTrouble) {
    this.clock = clock;
    this.onTrouble = onTrouble;
  }

  /** Whether an operation may be sent there; its result must then be reported. */
  boolean mayAsk(String name) {
    Place place = troubled.get(name);
    if (place == null) {
      return true;
    }
    synchronized (place) {
      if (place.failures < FAILURES_IN_A_ROW) {
        return true;
      }
      long now = clock.nanoTime();
      if (now - place.againNanos < 0) {
        return false;
      }
      place.defer(now);
      place.tried = true;
      return true;
    }
  }

  void answered(String name) {
    if (!troubled.isEmpty()) {
      troubled.remove(name);
    }
  }

  void failed(String name) {
    if (troubled.size() >= MOST) {
      troubled.clear();
    }
    Place place = troubled.computeIfAbsent(name, n -> new Place());
    boolean trouble;
    synchronized (place) {
      place.failures++;
      if (place.failures == FAILURES_IN_A_ROW) {
        place.defer(clock.nanoTime());
        place.tried = true;
      }
      // Not for every operation that was in progress when the server was lost.
      trouble = place.tried;
      place.tried = false;
    }
    if (trouble) {
      onTrouble.run();
    }
  }
}
