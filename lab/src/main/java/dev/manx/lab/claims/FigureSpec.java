/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.claims;

import java.util.List;
import java.util.Optional;

/**
 * How a figure of ours is made of result rows: of one case, or the largest or smallest of several.
 *
 * @param run the run whose results it is made of
 * @param cases at least one
 * @param as what is formed of the two sides
 * @param take which of several cases
 * @param unit printed behind the number
 * @param evenSaturated whether arms that were saturated count too
 */
record FigureSpec(
    String run, List<Case> cases, Form as, Take take, String unit, boolean evenSaturated) {
  /**
   * One case.
   *
   * @param side what is measured
   * @param over what it is compared with
   */
  record Case(Operand side, Optional<Operand> over) {}

  /** The form of a figure made of side and over, round by round. */
  enum Form {
    /** The side alone. */
    VALUE,
    /** Operand / over. */
    RATIO,
    /** Over / side: how many times lower the side is. */
    GAIN,
    /** By how many percent the side is below over. */
    REDUCTION,
    /** By how many percent the side is above over. */
    INCREASE,
    /** Operand minus over, in their unit. */
    DIFFERENCE;

    /** Whether a negative value means the opposite of what the form says. */
    boolean isDirection() {
      return this == REDUCTION || this == INCREASE;
    }
  }

  /** Which of several cases a figure is. */
  enum Take {
    /** There is one case only. */
    ONLY,
    /** The largest. */
    MAX,
    /** The smallest. */
    MIN,
    /**
     * Of each arm, class, load and point the least of its quantities, and of those the largest: how
     * much holds of all quantities at once somewhere.
     */
    MAX_OF_LEAST
  }

  /** Copies the list. */
  FigureSpec {
    cases = List.copyOf(cases);
  }
}
