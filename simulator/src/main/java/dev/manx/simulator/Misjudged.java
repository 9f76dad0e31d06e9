/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * Counts what size oracles take for large and what is: of the reads that coordinators forecast by
 * their strategy's oracle. Confined to one thread.
 */
final class Misjudged {
  private long large;
  private long largeMissed;
  private long small;
  private long smallMistaken;

  /** Sums up to a moment. */
  record Sums(long large, long largeMissed, long small, long smallMistaken) {
    /** Share of large reads since earlier that were taken for small, in percent; NaN if none. */
    double largePct(Sums earlier) {
      return 100.0 * (largeMissed - earlier.largeMissed) / (large - earlier.large);
    }

    /** Share of small reads since earlier that were taken for large, in percent; NaN if none. */
    double smallPct(Sums earlier) {
      return 100.0 * (smallMistaken - earlier.smallMistaken) / (small - earlier.small);
    }
  }

  void judged(boolean isLarge, boolean takenForLarge) {
    if (isLarge) {
      large++;
      largeMissed += takenForLarge ? 0 : 1;
    } else {
      small++;
      smallMistaken += takenForLarge ? 1 : 0;
    }
  }

  Sums sums() {
    return new Sums(large, largeMissed, small, smallMistaken);
  }
}
