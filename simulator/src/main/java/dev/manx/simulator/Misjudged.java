/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * Compares the large reads forecast by size oracles with the actual ones, among the reads that
 * coordinators forecast by their strategy's oracle. Confined to one thread.
 */
final class Misjudged {
  private long large;
  private long largeMissed;
  private long small;
  private long smallMistaken;

  /** The sums up to a point in time. */
  record Sums(long large, long largeMissed, long small, long smallMistaken) {
    /**
     * Share of large reads since {@code earlier} that were forecast as small, in percent; NaN if
     * none.
     */
    double largePct(Sums earlier) {
      return 100.0 * (largeMissed - earlier.largeMissed) / (large - earlier.large);
    }

    /**
     * Share of small reads since {@code earlier} that were forecast as large, in percent; NaN if
     * none.
     */
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
