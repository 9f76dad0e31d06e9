/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.io.IOException;

/**
 * CPU time of the machine so far, all cores together; NaN without /proc.
 *
 * @param busySeconds all processes and the kernel
 * @param stealSeconds taken by other guests of the same host
 */
public record MachineTime(double busySeconds, double stealSeconds) {
  /** The time until now. */
  public static MachineTime now() {
    try {
      return parse(Proc.read(Proc.ROOT.resolve("stat")));
    } catch (IOException e) {
      return new MachineTime(Double.NaN, Double.NaN);
    }
  }

  /** Fields of the first line: user nice system idle iowait irq softirq steal ... */
  static MachineTime parse(String stat) {
    String[] fields = stat.lines().findFirst().orElseThrow().trim().split("\\s+", -1);
    long busy = 0;
    for (int field : new int[] {1, 2, 3, 6, 7}) {
      busy += Long.parseLong(fields[field]);
    }
    return new MachineTime(
        busy / Proc.TICKS_PER_SECOND, Long.parseLong(fields[8]) / Proc.TICKS_PER_SECOND);
  }

  /**
   * The time of other processes since an earlier reading.
   *
   * @param ownSeconds time of one's own processes meanwhile
   */
  public double foreignSeconds(MachineTime from, double ownSeconds) {
    // Ticks of 10 ms do not add up exactly, so small negative values become 0.
    return Math.max(0, busySeconds - from.busySeconds - ownSeconds);
  }

  /** The time taken by other guests since an earlier reading. */
  public double stealSeconds(MachineTime from) {
    return stealSeconds - from.stealSeconds;
  }
}
