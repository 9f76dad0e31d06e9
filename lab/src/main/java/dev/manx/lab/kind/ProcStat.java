/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time as Linux counts it in /proc, in seconds; NaN where there is no /proc. */
public final class ProcStat {
  // USER_HZ is 100 on every Linux that Java 17 runs on.
  private static final double TICKS_PER_SECOND = 100;

  private ProcStat() {}

  /** User and system time of a process so far. */
  public static double processSeconds(long pid) {
    try {
      return processSeconds(read(Path.of("/proc", Long.toString(pid), "stat")));
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** The name of the program stands in parentheses and may hold anything, parentheses included. */
  static double processSeconds(String stat) {
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
  }

  /** The whole machine so far. */
  public static Machine machine() {
    try {
      return machine(read(Path.of("/proc/stat")));
    } catch (IOException e) {
      return new Machine(Double.NaN, Double.NaN);
    }
  }

  /** Fields of the first line: user nice system idle iowait irq softirq steal ... */
  static Machine machine(String stat) {
    String[] fields = stat.lines().findFirst().orElseThrow().trim().split("\\s+", -1);
    long busy = 0;
    for (int field : new int[] {1, 2, 3, 6, 7}) {
      busy += Long.parseLong(fields[field]);
    }
    return new Machine(busy / TICKS_PER_SECOND, Long.parseLong(fields[8]) / TICKS_PER_SECOND);
  }

  /**
   * CPU time of the machine, all cores together.
   *
   * @param busySeconds all processes and the kernel
   * @param stealSeconds taken by other guests of the same host
   */
  public record Machine(double busySeconds, double stealSeconds) {}

  private static String read(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }
}
