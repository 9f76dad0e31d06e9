/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.control;

import dev.manx.shares.PolicyReport;
import dev.manx.shares.ShareController;
import java.util.Set;

/**
 * What the control loop has done so far.
 *
 * @param ticks times it looked
 * @param outcome what the last look came to
 * @param frozen ticks without a decision for want of fresh statistics
 * @param deferred ticks without a decision because a move was not finished
 * @param moves shares changed
 * @param bytesMoved space given from one share to another
 * @param failedMoves resizes that failed or did not end in time
 * @param failures ticks that ended in an exception: the shares stayed
 * @param recordsLost records dropped because all stripes were held
 * @param fixed backends whose stores refuse to be resized: the others are divided without them
 * @param policy what the policy reports of itself
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
