/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * The cores of one coordinator, for the cost of deciding, sending and receiving: tasks run in order
 * of arrival, each on the first free core. Confined to one thread.
 */
final class CoordinatorCpu {
  private final ModelSpec.Cpu cpu;
  private final long[] freeNanos;

  /** Speed; the time of work is divided by it. */
  double speed = 1;

  CoordinatorCpu(ModelSpec.Cpu cpu) {
    this.cpu = cpu;
    freeNanos = new long[cpu.coordinatorCores()];
  }

  /** The time at which a request that arrives now has been planned and its reads written. */
  long planned(int reads, long nowNanos) {
    return take(cpu.perRequestNanos() + reads * cpu.perReadNanos(), nowNanos);
  }

  /** The time at which a second copy that is due now has been written. */
  long copied(long nowNanos) {
    return take(cpu.perReadNanos(), nowNanos);
  }

  /** The time at which an answer that arrives now has been read. */
  long heard(long nowNanos) {
    return take(cpu.perAnswerNanos(), nowNanos);
  }

  /** Work without cost does not wait. */
  private long take(long workNanos, long nowNanos) {
    if (workNanos == 0) {
      return nowNanos;
    }
    int core = 0;
    for (int i = 1; i < freeNanos.length; i++) {
      if (freeNanos[i] < freeNanos[core]) {
        core = i;
      }
    }
    long end = Math.max(nowNanos, freeNanos[core]) + Math.round(workNanos / speed);
    freeNanos[core] = end;
    return end;
  }
}
