/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.RequestClass;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings of a run of the generator.
 *
 * @param warmUpNanos requests intended before this are sent but not measured
 * @param measuredNanos length of the measured window that follows, by intended time
 * @param requestTimeoutNanos wait for stragglers at the end, a little more than the target's
 *     time-out
 * @param maxOutstanding safety limit: a request that would exceed it is counted but not sent
 * @param progressEveryNanos interval of the progress callback
 * @param classes the classes reported in addition to {@link RequestClass#ALL}
 * @param narrowMaxReads the widest request of class {@code narrow}
 */
public record LoadSettings(
    long warmUpNanos,
    long measuredNanos,
    long requestTimeoutNanos,
    int maxOutstanding,
    long progressEveryNanos,
    List<RequestClass> classes,
    int narrowMaxReads) {
  /** Default of {@link #maxOutstanding}. */
  public static final int MAX_OUTSTANDING = 20_000;

  /** Checks the ranges; adds class ALL in front if it is missing. */
  public LoadSettings {
    if (warmUpNanos < 0 || measuredNanos <= 0 || requestTimeoutNanos <= 0) {
      throw new IllegalArgumentException(
          "warm-up is 0 or more, window and time-out are above 0, not "
              + warmUpNanos
              + ", "
              + measuredNanos
              + ", "
              + requestTimeoutNanos
              + " ns");
    }
    if (maxOutstanding < 1 || progressEveryNanos < 1) {
      throw new IllegalArgumentException(
          "outstanding requests and progress interval are at least 1, not "
              + maxOutstanding
              + ", "
              + progressEveryNanos);
    }
    List<RequestClass> all = new ArrayList<>(List.of(RequestClass.ALL));
    classes.stream().filter(one -> !all.contains(one)).forEach(all::add);
    classes = List.copyOf(all);
  }

  /**
   * The longest interval up to a limit for which a report comes when the window begins, at most 1
   * ns late for each interval in the window and never early. Reports are aligned to the window's
   * end, so this interval divides the window, not the warm-up. Without a warm-up the first report
   * comes after one interval.
   */
  public static long progressEveryNanos(long measuredNanos, long atMostNanos) {
    return measuredNanos / ((measuredNanos + atMostNanos - 1) / atMostNanos);
  }

  /** Returns these settings with other classes in addition to ALL. */
  LoadSettings withClasses(List<RequestClass> others) {
    return new LoadSettings(
        warmUpNanos,
        measuredNanos,
        requestTimeoutNanos,
        maxOutstanding,
        progressEveryNanos,
        others,
        narrowMaxReads);
  }
}
