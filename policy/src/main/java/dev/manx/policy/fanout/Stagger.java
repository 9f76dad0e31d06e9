/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Ewma;
import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;

/**
 * Time from the first copy of a tied read to the second: a fixed one, or some mean service times of
 * the reads planned here. Any thread; allocates nothing.
 */
/*
 * A copy costs two messages, whose CPU is the same for slow storage and fast. A read that waits for
 * less than a few service times mostly starts before its copy, so the copy was in vain.
 */
final class Stagger {
  /** Mean service times that {@code auto} waits for. */
  static final double SERVICES = 4;

  /** The shortest time by {@code auto}. Nodes measure it in milliseconds. */
  static final long LEAST_NANOS = 1_000_000;

  private static final long MOST_NANOS = 60_000_000_000L;

  static final Setting SETTING =
      Setting.durationOr(
          "auto",
          "stagger",
          "0",
          "1min",
          "time from the first copy to the second; auto: 4 mean service times, at least 1ms");

  // By request; their quotient is the mean of reads.
  private static final double WEIGHT = 1.0 / 256;

  private final long fixedNanos;
  private final Ewma work = new Ewma(WEIGHT);
  private final Ewma reads = new Ewma(WEIGHT);

  /**
   * Creates a stagger without measurements.
   *
   * @param nanos the time, or {@link Values#BY_ITSELF} for {@code auto}
   */
  Stagger(long nanos) {
    fixedNanos = nanos;
  }

  /** The time for the reads of a ranked request, after learning their forecasts. */
  long nanos(Request request) {
    if (fixedNanos != Values.BY_ITSELF) {
      return fixedNanos;
    }
    double total = 0;
    int count = request.reads();
    for (int read = 0; read < count; read++) {
      total += Plans.ownNanos(request, read);
    }
    if (count > 0) {
      work.add(total);
      reads.add(count);
    }
    double mean = work.get(0) / reads.get(1);
    return Math.round(Math.min(MOST_NANOS, Math.max(LEAST_NANOS, SERVICES * mean)));
  }
}
