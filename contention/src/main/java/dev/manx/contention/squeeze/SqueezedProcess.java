/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * A process that was checked and may be squeezed.
 *
 * @param pid its id
 * @param startTicks its start time
 */
public record SqueezedProcess(long pid, long startTicks) {
  /** Sampling time for finding busy threads. */
  static final long LOOK_NANOS = 300_000_000L;

  /** Advice for hosts that do not permit setting nice levels. */
  public static final String HOW_TO_PERMIT =
      "Run it as root (sudo ./manx ...), or with the capability alone: sudo setpriv --reuid $(id -u)"
          + " --clear-groups --inh-caps +sys_nice --ambient-caps +sys_nice ./manx ...; in a"
          + " container, start that with --cap-add SYS_NICE";

  /**
   * Checks a process for a squeeze; changes nothing.
   *
   * @throws SqueezeException with reason and remedy
   */
  public static SqueezedProcess check(long pid, Squeeze squeeze) {
    if (pid <= 1) {
      throw new SqueezeException("process " + pid + " is never squeezed: give the id of a server");
    }
    if (pid == ProcessHandle.current().pid()) {
      throw new SqueezeException("process " + pid + " is this command itself");
    }
    ProcThread process =
        Proc.process(pid)
            .filter(p -> Proc.isAlive(pid, p.startTicks()))
            .orElseThrow(
                () ->
                    new SqueezeException(
                        "there is no process "
                            + pid
                            + "; `pgrep -a mongod` or `jps -l` finds the id of a server"));
    if (process.kernel()) {
      throw new SqueezeException("process " + pid + " belongs to the kernel");
    }
    int allowed = cores(pid).size();
    if (squeeze.cores() > allowed) {
      throw new SqueezeException(
          "process " + pid + " may run on " + allowed + " cores, not on " + squeeze.cores());
    }
    checkMeasured(process, squeeze);
    checkPermission(pid, squeeze);
    return new SqueezedProcess(pid, process.startTicks());
  }

  /** The online cores that any of its threads may use; a program may pin its first thread only. */
  private static List<Integer> cores(long pid) {
    TreeSet<Integer> cores = new TreeSet<>();
    Proc.threads(pid).stream()
        .map(ProcThread::cpus)
        .filter(cpus -> !cpus.isEmpty())
        .distinct()
        .forEach(cpus -> cores.addAll(CpuList.parse(cpus)));
    return Proc.online(List.copyOf(cores));
  }

  /** Whether nice levels may be set and restored; tries it on a process of its own. */
  public static boolean mayBoost() {
    return Proc.maySetPriorities() && Priorities.mayStrengthen();
  }

  /** Without times no thread is busier than another. */
  static void checkMeasured(ProcThread process, Squeeze squeeze) {
    if (squeeze.boost() > 0 && squeeze.threads().isEmpty() && process.ranNanos() == 0) {
      throw new SqueezeException(
          "the busiest threads cannot be found: this kernel has no /proc/PID/task/TID/schedstat;"
              + " name the threads (--threads)");
    }
  }

  private static void checkPermission(long pid, Squeeze squeeze) {
    if (squeeze.boost() > 0 ? mayBoost() : Proc.maySetPriorities()) {
      return;
    }
    if (squeeze.boost() > 0 && Proc.maySetPriorities()) {
      throw new SqueezeException(
          "nice levels could be raised but not restored here: lowering one needs CAP_SYS_NICE of"
              + " the host, which a user namespace (a rootless container) does not have. Run it"
              + " outside of the namespace");
    }
    if (squeeze.boost() > 0) {
      throw new SqueezeException(
          "setting and restoring nice levels needs CAP_SYS_NICE. " + HOW_TO_PERMIT);
    }
    if (!Proc.user(pid).equals(Proc.user(ProcessHandle.current().pid()))) {
      throw new SqueezeException(
          "process "
              + pid
              + " belongs to another user, which needs CAP_SYS_NICE. "
              + HOW_TO_PERMIT);
    }
  }

  /** Whether it is still running. */
  boolean lives() {
    return Proc.isAlive(pid, startTicks);
  }

  /** All its threads, the first thread first. */
  List<ProcThread> threads() {
    List<ProcThread> threads = new ArrayList<>(Proc.threads(pid));
    threads.sort(Comparator.comparing((ProcThread t) -> t.tid() != pid));
    return threads;
  }

  /** Its present number of threads. */
  public int threadCount() {
    return threads().size();
  }

  /** The cores that its threads are pinned to: the first of those that it may use. */
  public String pinnedTo(Squeeze squeeze) {
    if (squeeze.cores() == 0) {
      return "";
    }
    List<Integer> cores = cores(pid);
    return CpuList.format(cores.subList(0, Math.min(squeeze.cores(), cores.size())));
  }

  /** The threads that would be boosted now; takes a moment to measure their activity. */
  public List<ProcThread> chosen(Squeeze squeeze) throws InterruptedException {
    Map<Integer, Long> before = ran();
    TimeUnit.NANOSECONDS.sleep(LOOK_NANOS);
    return chosen(squeeze, before);
  }

  /** Time on a core so far, by thread id. */
  Map<Integer, Long> ran() {
    Map<Integer, Long> ran = new HashMap<>();
    threads().forEach(thread -> ran.put(thread.tid(), thread.ranNanos()));
    return ran;
  }

  /**
   * The threads to boost: matching ones on which a nice level has an effect, busiest since an
   * earlier sample first.
   *
   * @param before the earlier result of {@link #ran}
   */
  List<ProcThread> chosen(Squeeze squeeze, Map<Integer, Long> before) {
    return threads().stream()
        .filter(thread -> squeeze.matches(thread.name()))
        .filter(thread -> thread.niceCounts() && !thread.ended())
        .sorted(
            Comparator.comparingLong(
                    (ProcThread t) -> t.ranNanos() - before.getOrDefault(t.tid(), 0L))
                .reversed()
                .thenComparingInt(ProcThread::tid))
        .limit(squeeze.boost())
        .toList();
  }
}
