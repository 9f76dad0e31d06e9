/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.credit;

import java.util.concurrent.TimeUnit;
import org.apache.cassandra.locator.InetAddressAndPort;

/**
 * Determines the node of a datacenter that runs the controller, from one node's view. A controller
 * announces a few times a second that it is alive; a node with messages from two controllers
 * follows the one with the lower address, and so does the other controller. Without a controller,
 * the nodes become candidates one after another, in the order of their addresses, so that usually
 * the first becomes the controller before the others try. A node with a lower address that joins
 * later follows the existing controller.
 *
 * <p>There is no consensus: for a moment there may be no controller, so that reads are not held
 * back, or two, so that a node may be granted twice its capacity, which is still less than without
 * credits. Sequential.
 */
final class Election {
  /** A controller without a message for this long no longer counts. */
  static final long EXPIRY_NANOS = TimeUnit.MILLISECONDS.toNanos(700);

  /** Interval of a controller's announcements. */
  static final long BEAT_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Time for each preceding node to become a candidate: two ticks of the timer. */
  static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Most preceding nodes that a node waits for. */
  static final int MOST_STEPS = 10;

  private final InetAddressAndPort self;
  private InetAddressAndPort leader;
  private long heardNanos;

  /** Starts without a known controller. */
  Election(InetAddressAndPort self, long nowNanos) {
    this.self = self;
    heardNanos = nowNanos;
  }

  /** Records another node's announcement as controller. */
  void heard(InetAddressAndPort other, long nowNanos) {
    if (leader == null || other.compareTo(leader) <= 0) {
      leader = other;
      heardNanos = nowNanos;
    }
  }

  /** Records that a node died, restarted or left. */
  void gone(InetAddressAndPort other, long nowNanos) {
    if (other.equals(leader)) {
      leader = null;
      heardNanos = nowNanos;
    }
  }

  /**
   * Determines the present controller.
   *
   * @param before number of alive candidates with a lower address
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

  /** The controller at the last check or message; null for none. */
  InetAddressAndPort known() {
    return leader;
  }

  boolean isSelf() {
    return self.equals(leader);
  }
}
