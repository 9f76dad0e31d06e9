/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/** The answers that a read still needs which asks several replicas. */
final class Quorum {
  private int missing;

  /** Before any has come. */
  Quorum(int contacts) {
    missing = contacts;
  }

  /** One more replica has answered, or will not; whether it was the last. */
  boolean isLast() {
    return --missing == 0;
  }
}
