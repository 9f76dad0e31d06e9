/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import java.util.List;

/**
 * The input of a share policy: the statistics of all application servers, and the shares of this
 * one. All arrays are by backend in the order of {@code statistics.backends()} and are the policy's
 * to change.
 *
 * @param nowNanos on the host's clock, only good for differences
 * @param statistics of the last windows, merged
 * @param allocated bytes that each share may hold
 * @param used bytes that it does hold
 * @param floors bytes below which a share must not fall
 * @param curves how misses depend on space, if the policy asked for them; elements may be null
 */
public record ShareView(
    long nowNanos,
    WindowStatistics statistics,
    double[] allocated,
    double[] used,
    double[] floors,
    List<MissCurve> curves) {
  /** How many backends there are. */
  public int backends() {
    return allocated.length;
  }
}
