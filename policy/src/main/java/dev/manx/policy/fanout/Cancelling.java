/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;

/**
 * The extent to which a cancellation stops work at the replica that gets it.
 *
 * @param running whether it also stops a read that has started, not only a queued one; if both of
 *     two tied copies have started, the later one is stopped
 * @param abortNanos from the cancellation's arrival until the core of a stopped read is free: an
 *     engine checks for it only at intervals
 */
public record Cancelling(boolean running, long abortNanos) {
  /** Stops queued reads only. */
  public static final Cancelling QUEUED = new Cancelling(false, 0);

  static final Setting CANCEL =
      Setting.word("cancel", "copies that a cancellation stops", "queued", "started");
  static final Setting ABORT_AFTER =
      Setting.duration(
          "abort-after", "0", "0", "1s", "time from the cancellation of a started copy to its end");

  /** Creates it from the settings. */
  static Cancelling of(Values settings) {
    return new Cancelling(
        settings.word("cancel").equals("started"), settings.number("abort-after"));
  }
}
