/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.level;

import dev.manx.policy.NanoClock;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which servers of a second level are in reach: one is lost after three failures in a row. From
 * then on one operation is let through to it as a trial, after 100 ms at first, then after waits
 * that double up to 2 s; the first that succeeds finds it again. Any thread.
 */
final class Places {
  /* A server of a Cluster that is replaced leaves its name behind; a Cluster has at most a thousand
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
   * @param onTrouble called when a server is lost, and each time that a trial was in vain
   */
  Places(NanoClock clock, Runnable onTrouble) {
    this.clock = clock;
    this.onTrouble = onTrouble;
  }

  /** Whether an operation may be sent there, which is then to be reported. */
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
      // Not for each of those that were under way when it was lost.
      trouble = place.tried;
      place.tried = false;
    }
    if (trouble) {
      onTrouble.run();
    }
  }
}
