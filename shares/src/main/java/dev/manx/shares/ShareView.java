/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.List;

/**
 * The input of a share policy: the statistics of all application servers, and the shares of this
 * one. All arrays are in the order of {@code statistics.backends()}; the policy may modify them.
 *
 * @param nowNanos on the host's clock, meaningful for differences only
 * @param statistics of the last windows, merged
 * @param allocated limit of each share in bytes
 * @param used bytes in use in each share
 * @param floors smallest allowed share in bytes
 * @param curves miss ratio as a function of space, if the policy needs it; elements may be null
 */
public record ShareView(
    long nowNanos,
    WindowStatistics statistics,
    double[] allocated,
    double[] used,
    double[] floors,
    List<MissCurve> curves) {
  /** Number of backends. */
  public int backends() {
    return allocated.length;
  }
}
