/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/** The answers that a read at several replicas still needs. */
final class Quorum {
  private int missing;

  /** Resets to no answers. */
  Quorum(int contacts) {
    missing = contacts;
  }

  /** Records that one more replica has answered or failed; returns whether it was the last. */
  boolean isLast() {
    return --missing == 0;
  }
}
