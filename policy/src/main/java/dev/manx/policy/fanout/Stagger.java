/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.fanout;

import dev.manx.policy.Ewma;
import dev.manx.policy.Request;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import java.util.concurrent.atomic.AtomicLongArray;

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
  private static final int WORK = 0;
  private static final int READS = 1;

  private final long fixedNanos;
  // Both start at 0, so their quotient is a mean from the first request on.
  private final AtomicLongArray means = new AtomicLongArray(2);

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
      Ewma.add(means, WORK, WEIGHT, total);
      Ewma.add(means, READS, WEIGHT, count);
    }
    double all = Double.longBitsToDouble(means.get(READS));
    double mean = all > 0 ? Double.longBitsToDouble(means.get(WORK)) / all : 0;
    return request.recalled(
        Math.round(Math.min(MOST_NANOS, Math.max(LEAST_NANOS, SERVICES * mean))));
  }
}
