/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

/** A way in which the servers of a store or a second level fail, and recover from it. */
public enum Fault {
  /** No byte passes, connections stay open, and what was sent arrives when it is over. */
  PARTITION,
  /** Every answer comes later than the time-out of an operation. */
  SLOW,
  /** Every connection is reset, new ones at their first bytes. */
  RESETS,
  /** All servers die; when it is over they are there again, without what they had. */
  RESTART,
  /** Others take all of the servers' memory; new values are refused, or evict all others. */
  FULL,
  /** The servers answer, but execute nothing: a Redis in which a script runs. */
  BUSY
}
