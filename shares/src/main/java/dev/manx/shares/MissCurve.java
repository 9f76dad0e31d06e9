/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.Arrays;

/**
 * The miss ratio as a function of a cache's space: points in ascending space, linear in between.
 * Immutable.
 */
public final class MissCurve {
  private static final double ERRORS = 2;

  private final double[] bytes;
  private final double[] missRatio;
  private final double objectBytes;
  private final double queries;

  /**
   * Builds a curve from points, for objects of one byte.
   *
   * @param bytes ascending, the first 0
   * @param missRatio at each, 0 to 1
   */
  public MissCurve(double[] bytes, double[] missRatio) {
    this(bytes, missRatio, 1);
  }

  /**
   * From points that are exact.
   *
   * @param bytes ascending, the first 0
   * @param missRatio at each, 0 to 1
   * @param objectBytes mean size of an object, more than 0
   */
  public MissCurve(double[] bytes, double[] missRatio, double objectBytes) {
    this(bytes, missRatio, objectBytes, Double.POSITIVE_INFINITY);
  }

  /**
   * Creates a curve from points that were estimated from a sample.
   *
   * @param bytes ascending, the first 0
   * @param missRatio at each, 0 to 1
   * @param objectBytes mean size of an object, more than 0
   * @param queries number of queries in the sample, more than 0
   */
  public MissCurve(double[] bytes, double[] missRatio, double objectBytes, double queries) {
    if (bytes.length == 0 || bytes.length != missRatio.length || bytes[0] != 0) {
      throw new IllegalArgumentException("a curve starts at 0 bytes and has as many ratios");
    }
    for (int i = 1; i < bytes.length; i++) {
      if (!(bytes[i] > bytes[i - 1])) {
        throw new IllegalArgumentException("spaces must ascend: " + Arrays.toString(bytes));
      }
    }
    this.bytes = bytes.clone();
    this.missRatio = missRatio.clone();
    this.objectBytes = objectBytes;
    this.queries = queries;
  }

  /** Mean size of an object. */
  public double objectBytes() {
    return objectBytes;
  }

  /** Miss ratio for the given space; constant beyond the last point. */
  public double missRatio(double space) {
    int at = Arrays.binarySearch(bytes, space);
    if (at >= 0) {
      return missRatio[at];
    }
    int next = -at - 1;
    if (next == 0) {
      return missRatio[0];
    }
    if (next == bytes.length) {
      return missRatio[next - 1];
    }
    double part = (space - bytes[next - 1]) / (bytes[next] - bytes[next - 1]);
    return missRatio[next - 1] + part * (missRatio[next] - missRatio[next - 1]);
  }

  /** Fall of the miss ratio per byte when space grows by a step; at least 0. */
  public double gainPerByte(double space, double step) {
    return Math.max(0, (missRatio(space) - missRatio(space + step)) / step);
  }

  /** Fall of the miss ratio from one space to a larger one; at least 0. */
  double fall(double from, double to) {
    return Math.max(0, missRatio(from) - missRatio(to));
  }

  /**
   * The least fall of the miss ratio that the sample supports: the estimate less two standard
   * errors; at least 0.
   */
  double sureFall(double from, double to) {
    // The number of sampled queries that hit in one space and miss in the other: Poisson.
    double fall = fall(from, to);
    return Math.max(0, fall - ERRORS * Math.sqrt(fall / queries));
  }

  /**
   * The largest convex curve that is nowhere above this one: the miss ratios of a cache divided by
   * Talus (Beckmann and Sanchez, HPCA'15). On it the gain per byte never rises with space, so that
   * hill climbing does not stop before a cliff.
   */
  public MissCurve convex() {
    int[] hull = new int[bytes.length];
    int size = 0;
    for (int i = 0; i < bytes.length; i++) {
      while (size >= 2 && !below(hull[size - 2], hull[size - 1], i)) {
        size--;
      }
      hull[size++] = i;
    }
    double[] spaces = new double[size];
    double[] ratios = new double[size];
    for (int i = 0; i < size; i++) {
      spaces[i] = bytes[hull[i]];
      ratios[i] = missRatio[hull[i]];
    }
    return new MissCurve(spaces, ratios, objectBytes, queries);
  }

  private boolean below(int from, int middle, int to) {
    double straight =
        missRatio[from]
            + (missRatio[to] - missRatio[from])
                * (bytes[middle] - bytes[from])
                / (bytes[to] - bytes[from]);
    return missRatio[middle] < straight;
  }

  /** The spaces of its points, ascending. */
  public double[] bytes() {
    return bytes.clone();
  }
}
