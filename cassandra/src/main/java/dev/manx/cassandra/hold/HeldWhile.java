/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.hold;

/** Decides repeatedly whether a retry goes on waiting. Any thread. */
public interface HeldWhile {
  /**
   * Whether and how long the retry waits.
   *
   * @param answers number of replicas that have answered its read; negative if Cassandra no longer
   *     waits for the retry
   * @return nanoseconds until the next decision; 0 if it should leave now
   */
  long waitsNanos(long nowNanos, int answers);

  /** Called if the retry is not sent, perhaps after the decision that it leaves. */
  default void unsent() {}
}
