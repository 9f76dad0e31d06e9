/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.io.IOException;
import java.util.regex.Pattern;

/**
 * CPU time of the machine so far, all cores together; NaN without /proc.
 *
 * @param busySeconds all processes and the kernel
 * @param stealSeconds taken by other guests of the same host
 * @param cores number of its cores, which a JVM limited to some of them does not report; 0 without
 *     /proc
 */
public record MachineTime(double busySeconds, double stealSeconds, int cores) {
  private static final Pattern CORE = Pattern.compile("(?m)^cpu[0-9]+ ");

  /** The time until now. */
  public static MachineTime now() {
    try {
      return parse(Proc.read(Proc.ROOT.resolve("stat")));
    } catch (IOException e) {
      return new MachineTime(Double.NaN, Double.NaN, 0);
    }
  }

  /**
   * Fields of the first line, which is the sum of the following ones, one for each core: user nice
   * system idle iowait irq softirq steal ...
   */
  static MachineTime parse(String stat) {
    String[] fields = stat.lines().findFirst().orElseThrow().trim().split("\\s+", -1);
    long busy = 0;
    for (int field : new int[] {1, 2, 3, 6, 7}) {
      busy += Long.parseLong(fields[field]);
    }
    return new MachineTime(
        busy / Proc.TICKS_PER_SECOND,
        Long.parseLong(fields[8]) / Proc.TICKS_PER_SECOND,
        Math.toIntExact(CORE.matcher(stat).results().count()));
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

  /**
   * CPU time as a share of what all cores of the machine have, percent; not finite without /proc.
   *
   * @param cpuSeconds CPU time of any processes
   * @param seconds length of the interval in which it was used
   */
  public double percent(double cpuSeconds, double seconds) {
    return 100 * cpuSeconds / (seconds * cores);
  }

  /** The time taken by other guests since an earlier reading. */
  public double stealSeconds(MachineTime from) {
    return stealSeconds - from.stealSeconds;
  }
}
