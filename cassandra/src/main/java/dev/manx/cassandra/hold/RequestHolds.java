/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

/** Whether the request of held reads still waits for them. Any thread. */
public final class RequestHolds {
  private volatile boolean over;

  /** Records that the request has its result or its error. */
  public void over() {
    over = true;
  }

  boolean isOver() {
    return over;
  }
}
