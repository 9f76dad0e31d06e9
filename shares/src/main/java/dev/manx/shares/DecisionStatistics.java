/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

/**
 * The statistics of a decision; {@link RecentWindows#forDecision} returns them.
 *
 * @param recent of the last windows, merged
 * @param latest of the windows that are in no earlier decision
 * @param asOfNanos end of the newest window, by the owner's clock
 */
public record DecisionStatistics(
    WindowStatistics recent, WindowStatistics latest, long asOfNanos) {}
