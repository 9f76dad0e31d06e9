/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.testkit;

/** A fault of the servers of a store or a second level, with recovery. */
public enum Fault {
  /** No byte passes, connections stay open, and sent bytes arrive when the fault ends. */
  PARTITION,
  /** Every response arrives later than the time-out of an operation. */
  SLOW,
  /** Every connection is reset, new ones at their first bytes. */
  RESETS,
  /** All servers die; they come back empty. */
  RESTART,
  /** Other data fills the servers' memory; new values are rejected, or evict all others. */
  FULL,
  /** The servers respond, but execute nothing: a Redis that runs a script. */
  BUSY
}
