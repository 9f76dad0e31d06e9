/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The definition of a figure from result rows: of one case, or the largest or smallest of several.
 *
 * @param run the run with the results
 * @param cases at least one
 * @param as operation on the two sides
 * @param take choice among several cases
 * @param unit printed after the number
 * @param evenSaturated whether arms that were saturated or failed count too
 */
record FigureSpec(
    String run, List<Case> cases, Form as, Take take, String unit, boolean evenSaturated) {
  /**
   * A case.
   *
   * @param side the measured side
   * @param over the other side
   */
  record Case(Operand side, Optional<Operand> over) {}

  /** The operation on side and over, round by round. */
  enum Form {
    /** The side alone. */
    VALUE,
    /** Side / over. */
    RATIO,
    /** Over / side: the factor by which the side is lower. */
    GAIN,
    /** The percentage by which the side is below over. */
    REDUCTION,
    /** The percentage by which the side is above over. */
    INCREASE,
    /** Side minus over, in their unit. */
    DIFFERENCE;

    /** Its name in a sentence. */
    String words() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Whether a negative value means the opposite of the operation's name. */
    boolean isDirection() {
      return this == REDUCTION || this == INCREASE;
    }
  }

  /** The choice among several cases. */
  enum Take {
    ONLY,
    MAX,
    MIN,
    /**
     * The largest, over all arms, classes, loads and points, of the smallest of their quantities:
     * the value that all quantities reach together somewhere.
     */
    MAX_OF_LEAST
  }

  FigureSpec {
    cases = List.copyOf(cases);
  }
}
