/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.invalidation;

import java.util.concurrent.TimeUnit;

/**
 * Whether this server's own beats come back, and so the invalidations of the others arrive. Not
 * thread-safe.
 */
final class OwnBeats {
  /* While they come back, the subscription works, whatever the sockets report. A server that was
   * itself paused sees old times of all others, and its own beats and their messages wait in its
   * sockets: it checks again after two seconds. */

  /** After a pause of this process, the others, and its own beats, have this long to arrive. */
  static final long GRACE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private boolean connected;
  private boolean wasConnected;
  private long returnedNanos;
  private long checkedNanos;
  private boolean graceGiven;
  private long renewedNanos;
  // All others fell silent, and the connections were not made anew since.
  private boolean alone;

  OwnBeats(long now) {
    returnedNanos = now;
    checkedNanos = now;
    renewedNanos = now;
  }

  /** Whether they have come back since the connection was last lost. */
  boolean areConnected() {
    return connected;
  }

  /** One has come back; returns whether it is the first of all. */
  boolean returned(long now) {
    returnedNanos = now;
    graceGiven = false;
    connected = true;
    boolean first = !wasConnected;
    wasConnected = true;
    return first;
  }

  /** Whether none has come back for too long. */
  boolean areMissing(long now) {
    return now - returnedNanos >= Invalidations.SILENT_NANOS;
  }

  /** The connection is lost; returns whether there was one. */
  boolean lost() {
    boolean was = connected;
    connected = false;
    return was;
  }

  /**
   * Checks, with each beat, whether this process was paused. Ignores old times then, once until own
   * beats come back.
   *
   * @return whether old times of the other servers must be ignored too
   */
  boolean forgivesPause(long now) {
    boolean paused = now - checkedNanos >= 2 * Invalidations.BEAT_NANOS;
    checkedNanos = now;
    if (!paused || graceGiven) {
      return false;
    }
    graceGiven = true;
    returnedNanos = Math.max(returnedNanos - now, GRACE_NANOS - Invalidations.SILENT_NANOS) + now;
    return true;
  }

  /**
   * Whether the connections must be made anew now; asked with each beat.
   *
   * @param silent how many other servers fell silent since the last beat
   * @param left number of other servers left
   */
  boolean mustConnectAnew(long now, int silent, int left) {
    // The channel may be cut off too: a former master of Redis still returns this server's beats.
    alone = (alone || silent > 0) && left == 0;
    // Fresh connections get as long as the first ones.
    boolean anew = (areMissing(now) || alone) && now - renewedNanos >= Invalidations.SILENT_NANOS;
    if (anew) {
      renewedNanos = now;
      alone = false;
    }
    return anew;
  }
}
