/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Which node of a datacenter runs the controller, as one of them sees it. A controller says a few
 * times a second that it lives; of two that a node hears, it follows the one with the lower
 * address, and so does the other of the two. If none is heard, the nodes offer themselves one after
 * the other, in the order of their addresses, so that as a rule one does before the others. A node
 * with a lower address that comes later follows the one that is there.
 *
 * <p>No consensus: for a moment there may be none, and then nothing is held back, or two, and then
 * a node may be granted twice what it can do, which is less than without credits. Sequential.
 */
final class Election {
  /** A controller that has not been heard for this long is none. */
  static final long EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  /** How often a controller says that it lives. */
  static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** How long each node gives the one before it to offer itself: two ticks of the timer. */
  static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Nodes farther behind do not wait longer. */
  static final int MOST_STEPS = 10;

  private final InetAddressAndPort self;
  private InetAddressAndPort leader;
  private long heardNanos;

  /** None is known yet. */
  Election(InetAddressAndPort self, long nowNanos) {
    this.self = self;
    heardNanos = nowNanos;
  }

  /** Another node said that it is a controller. */
  void heard(InetAddressAndPort other, long nowNanos) {
    if (leader == null || other.compareTo(leader) <= 0) {
      leader = other;
      heardNanos = nowNanos;
    }
  }

  /** A node died, restarted or left. */
  void gone(InetAddressAndPort other, long nowNanos) {
    if (other.equals(leader)) {
      leader = null;
      heardNanos = nowNanos;
    }
  }

  /**
   * Looks who it is now.
   *
   * @param before how many nodes with a lower address are alive and may be it
   * @return null for none
   */
  InetAddressAndPort look(int before, long nowNanos) {
    if (leader != null && !isSelf() && nowNanos - heardNanos >= EXPIRY_NANOS) {
      leader = null;
      heardNanos = nowNanos;
    }
    long wait = EXPIRY_NANOS + Math.min(before, MOST_STEPS) * STEP_NANOS;
    if (leader == null && nowNanos - heardNanos >= wait) {
      leader = self;
    }
    return leader;
  }

  /** Who it was when this node looked or heard last; null for none. */
  InetAddressAndPort known() {
    return leader;
  }

  boolean isSelf() {
    return self.equals(leader);
  }
}
