/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;

/**
 * How much a cancellation stops at the replica that gets it.
 *
 * @param running whether it stops a read that has started, and not only one that is queued; of two
 *     tied copies that have both started the later one is stopped
 * @param abortNanos from the cancellation's arrival until the core of a stopped read is free: an
 *     engine looks for it only now and then
 */
public record Cancelling(boolean running, long abortNanos) {
  /** Stops what is queued and nothing else. */
  public static final Cancelling QUEUED = new Cancelling(false, 0);

  static final Setting CANCEL =
      Setting.word("cancel", "copies that a cancellation stops", "queued", "started");
  static final Setting ABORT_AFTER =
      Setting.duration(
          "abort-after", "0", "0", "1s", "time from the cancellation of a started copy to its end");

  /** As the settings say. */
  static Cancelling of(Values settings) {
    return new Cancelling(
        settings.word("cancel").equals("started"), settings.number("abort-after"));
  }
}
