/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.shares.PolicyReport;
import dev.manx.shares.ShareController;
import java.util.Set;

/**
 * Results of the control loop so far.
 *
 * @param ticks number of ticks
 * @param outcome outcome of the last tick
 * @param frozen ticks without a decision for lack of fresh statistics
 * @param deferred ticks without a decision because a move was unfinished
 * @param moves shares changed
 * @param bytesMoved space moved from one share to another
 * @param failedMoves resizes that failed or did not end in time
 * @param failures ticks that ended in an exception: the shares stayed as they were
 * @param recordsLost records dropped because all stripes were held
 * @param fixed backends whose stores reject resizing: the others are divided without them
 * @param policy the policy's own report
 */
public record LoopStats(
    long ticks,
    ShareController.Outcome outcome,
    long frozen,
    long deferred,
    long moves,
    long bytesMoved,
    long failedMoves,
    long failures,
    long recordsLost,
    Set<String> fixed,
    PolicyReport policy) {}
