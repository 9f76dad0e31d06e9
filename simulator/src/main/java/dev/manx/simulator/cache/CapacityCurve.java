/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator.cache;

import java.util.Arrays;

/**
 * The fraction of a backend's capacity over time: points, linear in between, constant before the
 * first and after the last. Seconds count from the end of the warm-up, uncompressed. Immutable.
 */
public final class CapacityCurve {
  /** Smallest fraction of its capacity that a backend can have. */
  public static final double LEAST = 0.01;

  private final double[] seconds;
  private final double[] parts;

  /**
   * Builds a curve from points.
   *
   * @param seconds ascending; two equal values make a step
   * @param parts of the capacity, {@value #LEAST} to 1
   */
  public CapacityCurve(double[] seconds, double[] parts) {
    if (seconds.length == 0 || seconds.length != parts.length) {
      throw new IllegalArgumentException("a curve needs as many parts as moments");
    }
    for (int i = 0; i < seconds.length; i++) {
      if (!(parts[i] >= LEAST && parts[i] <= 1) || (i > 0 && !(seconds[i] >= seconds[i - 1]))) {
        throw new IllegalArgumentException(
            "moments ascend and parts lie in " + LEAST + " to 1: " + Arrays.toString(parts));
      }
    }
    this.seconds = seconds.clone();
    this.parts = parts.clone();
  }

  /** The fraction at a given time. */
  public double at(double second) {
    int last = seconds.length - 1;
    if (second <= seconds[0]) {
      return parts[0];
    }
    if (second >= seconds[last]) {
      return parts[last];
    }
    int low = 0;
    int high = last;
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (seconds[middle] <= second) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double width = seconds[high] - seconds[low];
    return width <= 0
        ? parts[high]
        : parts[low] + (parts[high] - parts[low]) * (second - seconds[low]) / width;
  }

  /** The smaller of two curves at every time where either has a point. */
  public CapacityCurve and(CapacityCurve other) {
    double[] all = new double[seconds.length + other.seconds.length];
    System.arraycopy(seconds, 0, all, 0, seconds.length);
    System.arraycopy(other.seconds, 0, all, seconds.length, other.seconds.length);
    Arrays.sort(all);
    double[] least = new double[all.length];
    for (int i = 0; i < all.length; i++) {
      // A step has two points at one time: the part before it and the part after it.
      boolean after = i > 0 && all[i] == all[i - 1];
      least[i] =
          after
              ? Math.min(after(all[i]), other.after(all[i]))
              : Math.min(before(all[i]), other.before(all[i]));
    }
    return new CapacityCurve(all, least);
  }

  /** The fraction just before a given time. */
  private double before(double second) {
    int next = 0;
    while (next < seconds.length && seconds[next] < second) {
      next++;
    }
    return between(next - 1, next, second);
  }

  /** The fraction just after a given time. */
  private double after(double second) {
    int next = 0;
    while (next < seconds.length && seconds[next] <= second) {
      next++;
    }
    return between(next - 1, next, second);
  }

  private double between(int low, int high, double second) {
    if (low < 0) {
      return parts[0];
    }
    if (high == seconds.length) {
      return parts[low];
    }
    double part = (second - seconds[low]) / (seconds[high] - seconds[low]);
    return parts[low] + (parts[high] - parts[low]) * part;
  }
}
