/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/** Thrown for bytes that do not encode a window of statistics. */
public final class StatisticsFormatException extends Exception {
  private static final long serialVersionUID = 1;

  StatisticsFormatException(String message) {
    super(message);
  }
}
