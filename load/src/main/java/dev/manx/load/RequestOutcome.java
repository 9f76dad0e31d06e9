/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

/**
 * The outcome of a request.
 *
 * @param kind answered, failed or timed out
 * @param rows rows that came back
 * @param wrongRows rows whose value does not belong to the key, or is damaged, or was not asked for
 * @param missingRows requested keys without a row
 * @param duplicateRows rows that came back again
 * @param detail for failures a short text for counting, such as the exception's name; otherwise
 *     empty
 */
public record RequestOutcome(
    Kind kind, int rows, int wrongRows, int missingRows, int duplicateRows, String detail) {
  /** The kinds of outcomes. */
  public enum Kind {
    /** Answered within the target's time-out. */
    OK,
    /** Failed. */
    ERROR,
    /** Failed before it was sent to any node. */
    UNSENT,
    /** Not answered in time. */
    TIMED_OUT
  }

  /** A success: all rows returned once and correct. */
  public static RequestOutcome ok(int rows) {
    return new RequestOutcome(Kind.OK, rows, 0, 0, 0, "");
  }

  /** A failure. */
  public static RequestOutcome error(String detail) {
    return new RequestOutcome(Kind.ERROR, 0, 0, 0, 0, detail);
  }

  /** A failure of a request that was not sent to any node. */
  public static RequestOutcome unsent(String detail) {
    return new RequestOutcome(Kind.UNSENT, 0, 0, 0, 0, detail);
  }

  /** A time-out. */
  public static RequestOutcome timedOut(String detail) {
    return new RequestOutcome(Kind.TIMED_OUT, 0, 0, 0, 0, detail);
  }

  /** Whether it failed; it may have failed quickly, so its latency does not count. */
  public boolean failed() {
    return kind == Kind.ERROR || kind == Kind.UNSENT;
  }

  /** Whether it was not sent or timed out, as under an overload. */
  boolean unserved() {
    return kind == Kind.UNSENT || kind == Kind.TIMED_OUT;
  }

  /** The number in the report's column {@code wrong}. */
  public int wrong() {
    return wrongRows + missingRows + duplicateRows;
  }
}
