/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.metrics;

/** The number of keys of a request, in the classes of the metrics. */
public enum Width {
  /** One key. */
  ONE(1, "1"),
  /** A few keys. */
  FEW(2, "2-5"),
  /** About as many keys as a page needs. */
  SOME(6, "6-20"),
  /** Many keys. */
  MANY(21, "21-100"),
  /** Even more keys. */
  MOST(101, "101+");

  private final int from;
  private final String label;

  Width(int from, String label) {
    this.from = from;
    this.label = label;
  }

  /** The class of a number of keys. */
  public static Width of(int keys) {
    if (keys <= 1) {
      return ONE;
    }
    if (keys <= 5) {
      return FEW;
    }
    return keys <= 20 ? SOME : keys <= 100 ? MANY : MOST;
  }

  /** The least number of keys. */
  public int from() {
    return from;
  }

  /** The width's name in metrics and tables. */
  public String label() {
    return label;
  }
}
