/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/**
 * How a request ended.
 *
 * @param kind answered, failed or timed out
 * @param rows rows that came back
 * @param wrongRows rows whose value does not belong to the key, or is damaged, or was not asked for
 * @param missingRows keys asked for that did not come back
 * @param duplicateRows rows that came back again
 * @param detail for failures a short text to count by, such as the exception's name; else empty
 */
public record Outcome(
    Kind kind, int rows, int wrongRows, int missingRows, int duplicateRows, String detail) {
  /** The ways a request can end. */
  public enum Kind {
    /** Answered, in time for the target's own time-out. */
    OK,
    /** Failed. */
    ERROR,
    /** Not answered in time. */
    TIMED_OUT
  }

  /** All rows came back, once and right. */
  public static Outcome ok(int rows) {
    return new Outcome(Kind.OK, rows, 0, 0, 0, "");
  }

  /** A failure. */
  public static Outcome error(String detail) {
    return new Outcome(Kind.ERROR, 0, 0, 0, 0, detail);
  }

  /** A time-out. */
  public static Outcome timedOut(String detail) {
    return new Outcome(Kind.TIMED_OUT, 0, 0, 0, 0, detail);
  }

  /** Everything the report's column {@code wrong} counts. */
  public int wrong() {
    return wrongRows + missingRows + duplicateRows;
  }
}
