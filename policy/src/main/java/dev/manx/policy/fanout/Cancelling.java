/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

/**
 * What a cancellation stops at the replica that gets it.
 *
 * @param running whether it stops a read that has started, and not only one that is queued; of two
 *     tied copies that have both started the later one is stopped
 * @param abortNanos from the cancellation's arrival until the core of a stopped read is free: an
 *     engine looks for it only now and then
 */
public record Cancelling(boolean running, long abortNanos) {
  /** Stops what is queued and nothing else. */
  public static final Cancelling QUEUED = new Cancelling(false, 0);
}
