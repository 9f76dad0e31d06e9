/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.proc;

import java.util.HashMap;
import java.util.Map;

/**
 * One thread (or a whole process by its first thread) at one time; counters are since its start.
 *
 * @param tid thread id, unique on the machine while the thread lives
 * @param name at most 15 characters
 * @param state R running or runnable, S asleep, D in the kernel, T stopped, Z or X ended
 * @param kernel whether it belongs to the kernel
 * @param nice from -20 to 19
 * @param startTicks start time in clock ticks since boot; distinguishes a reused id
 * @param cpus cores it may run on, in Linux's format
 * @param ranNanos time on a core
 * @param waitedNanos time runnable but without a core (run-queue delay)
 * @param voluntarySwitches times it left the core to wait for something
 * @param involuntarySwitches times it was taken off the core, or yielded it
 * @param scheduling its scheduling class, with the priority of a real-time one: {@code FIFO 10};
 *     empty for the ordinary class
 * @param fixed whether the kernel does not allow its cores to be set, as for workers of io_uring
 */
public record ProcThread(
    int tid,
    String name,
    char state,
    boolean kernel,
    int nice,
    long startTicks,
    String cpus,
    long ranNanos,
    long waitedNanos,
    long voluntarySwitches,
    long involuntarySwitches,
    String scheduling,
    boolean fixed) {
  // Flags of the kernel's include/linux/sched.h.
  private static final long KERNEL_THREAD = 0x0020_0000;
  private static final long NO_SET_AFFINITY = 0x0400_0000;
  private static final int RT_PRIORITY_FIELD = 37;
  private static final int POLICY_FIELD = 38;

  /** A thread of the ordinary scheduling class. */
  public ProcThread(
      int tid,
      String name,
      char state,
      boolean kernel,
      int nice,
      long startTicks,
      String cpus,
      long ranNanos,
      long waitedNanos,
      long voluntarySwitches,
      long involuntarySwitches) {
    this(
        tid,
        name,
        state,
        kernel,
        nice,
        startTicks,
        cpus,
        ranNanos,
        waitedNanos,
        voluntarySwitches,
        involuntarySwitches,
        "",
        false);
  }

  /** Whether its nice level has an effect: not for real-time and idle classes. */
  public boolean niceCounts() {
    return scheduling.isEmpty() || scheduling.equals("BATCH");
  }

  /** Whether it has ended and only its entry remains. */
  public boolean ended() {
    return state == 'Z' || state == 'X';
  }

  /**
   * Reads the texts of {@code /proc/PID/task/TID/{stat,status,schedstat}}.
   *
   * @param schedstat may be empty, for a kernel without it: both times are then 0
   * @throws IllegalArgumentException if a text is not in the kernel's format
   */
  static ProcThread parse(String stat, String status, String schedstat) {
    // The name is in parentheses and may contain anything, including parentheses.
    int open = stat.indexOf('(');
    int close = stat.lastIndexOf(')');
    if (open < 1 || close < open) {
      throw new IllegalArgumentException("not the stat line of a thread: " + stat);
    }
    String[] fields = stat.substring(close + 2).trim().split(" ", -1);
    Map<String, String> lines = new HashMap<>();
    for (String line : status.split("\n", -1)) {
      int colon = line.indexOf(':');
      if (colon > 0) {
        lines.put(line.substring(0, colon), line.substring(colon + 1).trim());
      }
    }
    long flags = Long.parseLong(fields[6]);
    String[] times =
        schedstat.isBlank() ? new String[] {"0", "0"} : schedstat.trim().split(" ", -1);
    return new ProcThread(
        Integer.parseInt(stat.substring(0, open).trim()),
        stat.substring(open + 1, close),
        fields[0].charAt(0),
        (flags & KERNEL_THREAD) != 0,
        Integer.parseInt(fields[16]),
        Long.parseLong(fields[19]),
        lines.getOrDefault("Cpus_allowed_list", ""),
        Long.parseLong(times[0]),
        Long.parseLong(times[1]),
        Long.parseLong(lines.getOrDefault("voluntary_ctxt_switches", "0")),
        Long.parseLong(lines.getOrDefault("nonvoluntary_ctxt_switches", "0")),
        fields.length > POLICY_FIELD
            ? scheduling(fields[POLICY_FIELD], fields[RT_PRIORITY_FIELD])
            : "",
        (flags & NO_SET_AFFINITY) != 0);
  }

  /** The kernel's number of a class, in words. */
  private static String scheduling(String policy, String rtPriority) {
    return switch (policy) {
      case "1" -> "FIFO " + rtPriority;
      case "2" -> "RR " + rtPriority;
      case "3" -> "BATCH";
      case "5" -> "IDLE";
      case "6" -> "DEADLINE";
      case "7" -> "EXT";
      default -> "";
    };
  }
}
