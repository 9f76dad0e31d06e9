/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

/**
 * The result of one check.
 *
 * @param level severity
 * @param where nodes or file
 * @param text finding
 * @param todo recommended action; empty if none
 */
record Finding(Level level, String where, String text, String todo) {
  /** The severity. */
  enum Level {
    /** As expected. */
    OK,
    /** Manx works, but needs attention. */
    WARNING,
    /** Manx does not work there, or the node may not start. */
    ERROR
  }
}
