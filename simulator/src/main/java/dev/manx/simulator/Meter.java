/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

import java.lang.management.ManagementFactory;

/** Measures the cost of a run to its thread. Only this class reads the host's clocks. */
public final class Meter {
  private final long wallNanos = System.nanoTime();
  private final long cpuNanos = threadCpuNanos();
  private final long allocatedBytes = threadAllocatedBytes();

  /** The cost since the creation of this meter. */
  public Outcome.Cost cost(long reads, long events) {
    return new Outcome.Cost(
        reads,
        events,
        System.nanoTime() - wallNanos,
        threadCpuNanos() - cpuNanos,
        threadAllocatedBytes() - allocatedBytes);
  }

  private static long threadCpuNanos() {
    var threads = ManagementFactory.getThreadMXBean();
    return threads.isCurrentThreadCpuTimeSupported() ? threads.getCurrentThreadCpuTime() : 0;
  }

  private static long threadAllocatedBytes() {
    return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
        ? threads.getThreadAllocatedBytes(Thread.currentThread().getId())
        : 0;
  }
}
