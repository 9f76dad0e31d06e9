/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.List;

/**
 * The input of a share policy: the statistics of all application servers, and the shares of this
 * one. All arrays are in the order of {@code statistics.backends()}; the policy may modify them.
 *
 * @param nowNanos on the host's clock, meaningful for differences only
 * @param statistics of the last windows, merged: the same window may be in several views
 * @param latest of the windows that are in no earlier view; for policies that add up what they see.
 *     Windows whose decision was deferred are missing
 * @param allocated limit of each share in bytes
 * @param used bytes in use in each share
 * @param floors smallest allowed share in bytes
 * @param curves miss ratio as a function of space, if the policy needs it; elements may be null
 */
public record ShareView(
    long nowNanos,
    WindowStatistics statistics,
    WindowStatistics latest,
    double[] allocated,
    double[] used,
    double[] floors,
    List<MissCurve> curves) {
  /** A view of a single window, whose statistics are also the latest. */
  public ShareView(
      long nowNanos,
      WindowStatistics statistics,
      double[] allocated,
      double[] used,
      double[] floors,
      List<MissCurve> curves) {
    this(nowNanos, statistics, statistics, allocated, used, floors, curves);
  }

  /** Number of backends. */
  public int backends() {
    return allocated.length;
  }
}
