/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** How a request ended. */
public enum Ending {
  /** The request was answered. */
  ANSWERED,
  /** No answer came in time: its latency is at least the time-out. */
  TIMED_OUT,
  /**
   * The request failed in another way, perhaps within microseconds: its duration is not a latency.
   */
  FAILED
}
