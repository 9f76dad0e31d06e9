/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Time of one core, or of some together, since boot; NaN if unknown.
 *
 * @param idleSeconds without work, including waits for disks
 * @param stealSeconds taken by other guests of the same host
 */
/* Idle time is exact to the microsecond inside the kernel; busy time is a sample of ticks. So the
 * time of others is computed from the time that was not idle, as in the driver's machine.c. */
public record CoreTime(double idleSeconds, double stealSeconds) {
  private static final int STEAL = 8;
  private static final CoreTime NONE = new CoreTime(0, 0);
  private static final CoreTime UNKNOWN = new CoreTime(Double.NaN, Double.NaN);

  /** The times of all cores that are online until now; empty without /proc. */
  public static Map<Integer, CoreTime> now() {
    try {
      return parse(Proc.read(Proc.ROOT.resolve("stat")));
    } catch (IOException e) {
      return Map.of();
    }
  }

  /** Lines are: cpuN user nice system idle iowait irq softirq steal ... */
  public static Map<Integer, CoreTime> parse(String stat) {
    Map<Integer, CoreTime> cores = new HashMap<>();
    for (String line : stat.split("\n", -1)) {
      String[] words = line.split(" ", -1);
      if (words[0].matches("cpu[0-9]+") && words.length > STEAL) {
        cores.put(
            Integer.parseInt(words[0].substring(3)),
            new CoreTime(
                (Long.parseLong(words[4]) + Long.parseLong(words[5])) / Proc.TICKS_PER_SECOND,
                Long.parseLong(words[STEAL]) / Proc.TICKS_PER_SECOND));
      }
    }
    return cores;
  }

  /**
   * The sum of some cores; unknown without one, or if one is missing: then the machine may number
   * them otherwise, as in some containers.
   */
  public static CoreTime sum(Map<Integer, CoreTime> all, Collection<Integer> cores) {
    return !cores.isEmpty() && all.keySet().containsAll(cores)
        ? cores.stream().map(all::get).reduce(NONE, CoreTime::plus)
        : UNKNOWN;
  }

  private CoreTime plus(CoreTime other) {
    return new CoreTime(idleSeconds + other.idleSeconds, stealSeconds + other.stealSeconds);
  }

  /** The time since an earlier one. */
  public CoreTime since(CoreTime from) {
    return new CoreTime(idleSeconds - from.idleSeconds, stealSeconds - from.stealSeconds);
  }

  /**
   * Time of other processes on these cores, when this is a difference. Ticks do not add up exactly:
   * small negative values become 0.
   *
   * @param cores their number
   * @param seconds between both ends
   * @param ownSeconds CPU time of one's own processes meanwhile
   */
  public double foreignSeconds(int cores, double seconds, double ownSeconds) {
    return Math.max(0, cores * seconds - idleSeconds - stealSeconds - ownSeconds);
  }
}
