/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import dev.manx.workload.Arrivals;
import dev.manx.workload.Fanout;
import dev.manx.workload.Popularity;
import dev.manx.workload.RequestClass;
import dev.manx.workload.SizeClass;
import dev.manx.workload.Workload;
import dev.manx.workload.WorkloadSpec;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Shared helpers of this package's tests: small workloads and runs in virtual time. */
final class Runs {
  static final long MILLI = 1_000_000L;
  static final long SECOND = 1_000_000_000L;

  private Runs() {}

  static Workload singles(Arrivals arrivals) {
    return workload(new Fanout.Fixed(1), arrivals);
  }

  static Workload workload(Fanout fanout, Arrivals arrivals) {
    return new Workload(
        new WorkloadSpec(
            1000,
            List.of(new SizeClass(100, 0.9), new SizeClass(1000, 0.1)),
            1000,
            5,
            new Popularity.Zipf(0.99),
            fanout,
            arrivals,
            10));
  }

  static LoadSettings settings(long warmUpNanos, long measuredNanos, int maxOutstanding) {
    return new LoadSettings(
        warmUpNanos,
        measuredNanos,
        2 * SECOND,
        maxOutstanding,
        TimeUnit.HOURS.toNanos(1),
        RequestClass.OF_REQUESTS,
        10);
  }

  static LoadResult run(
      VirtualTime time, Workload workload, double rate, Target target, LoadSettings settings)
      throws InterruptedException {
    return new LoadRun(workload.stream(rate, 1), target, settings, progress -> {}, time).run();
  }
}
