/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.simulator;

/**
 * The cores of one coordinator, for what deciding, sending and receiving cost it: pieces of work in
 * the order in which they come, each on the core that is free first. Confined to one thread.
 */
final class CoordinatorCpu {
  private final ModelSpec.Cpu cpu;
  private final long[] freeNanos;

  /** How fast it is; work takes its time divided by this. */
  double speed = 1;

  CoordinatorCpu(ModelSpec.Cpu cpu) {
    this.cpu = cpu;
    freeNanos = new long[cpu.coordinatorCores()];
  }

  /** When a request that comes now is planned and its reads are written. */
  long planned(int reads, long nowNanos) {
    return take(cpu.perRequestNanos() + reads * cpu.perReadNanos(), nowNanos);
  }

  /** When an answer that comes now is read. */
  long heard(long nowNanos) {
    return take(cpu.perAnswerNanos(), nowNanos);
  }

  /** Work of no cost does not wait. */
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
