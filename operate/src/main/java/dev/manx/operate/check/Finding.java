/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

/**
 * One thing that was looked at.
 *
 * @param level how it is
 * @param where which nodes, or which file
 * @param text what was found
 * @param todo what to do about it; empty if nothing
 */
record Finding(Level level, String where, String text, String todo) {
  /** How it is. */
  enum Level {
    /** As it should be. */
    OK,
    /** Manx works, but look at it. */
    WARNING,
    /** Manx does not work there, or the node may not start. */
    ERROR
  }
}
