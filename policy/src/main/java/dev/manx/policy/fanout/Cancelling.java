/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;

/**
 * The extent to which a copy that is no longer needed is stopped at its replica.
 *
 * @param hedged whether the answer to a hedged read cancels its other copy; tied copies cancel each
 *     other in any case
 * @param running whether a cancellation also stops a read that has started, not only a queued one;
 *     if both of two tied copies have started, the later one is stopped
 * @param abortNanos from the cancellation's arrival until the core of a stopped read is free: an
 *     engine checks for it only at intervals
 */
public record Cancelling(boolean hedged, boolean running, long abortNanos) {
  /** Stops nothing but tied copies in a queue. */
  public static final Cancelling NOTHING = new Cancelling(false, false, 0);

  static final Setting CANCEL_HEDGED =
      Setting.word(
          "cancel",
          "other copies that the first answer stops; as on nodes none by default",
          "nothing",
          "queued",
          "started");

  static final Setting CANCEL_TIED =
      Setting.word("cancel", "copies that a cancellation stops", "queued", "started");

  static final Setting ABORT_AFTER =
      Setting.duration(
          "abort-after", "0", "0", "1s", "time from the cancellation of a started copy to its end");

  /** Creates the extent that the settings describe. */
  static Cancelling of(Values settings) {
    String word = settings.word("cancel");
    return new Cancelling(
        !word.equals("nothing"), word.equals("started"), settings.number("abort-after"));
  }
}
