/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The activity of a process between two samples.
 *
 * @param seconds time between them
 * @param threads threads alive at both, the busiest first
 * @param cores number of cores that they may use together
 * @param idle fraction of the time in which those cores were idle
 */
public record ProcessActivity(double seconds, List<ThreadUse> threads, int cores, double idle) {
  /** Copies the list. */
  public ProcessActivity {
    threads = List.copyOf(threads);
  }

  /**
   * All threads of a process at one time.
   *
   * @param atNanos the time, monotonic
   * @param idleSeconds of each core since boot
   */
  public record Snapshot(long atNanos, List<ProcThread> threads, Map<Integer, Double> idleSeconds) {
    /** Takes a snapshot; empty if the process has ended. */
    public static Snapshot of(long pid, long atNanos) {
      return new Snapshot(atNanos, Proc.threads(pid), Proc.idleSeconds());
    }
  }

  /** The activity between two snapshots. */
  public static ProcessActivity between(Snapshot before, Snapshot after) {
    Map<Integer, ProcThread> old = new HashMap<>();
    before.threads().forEach(thread -> old.put(thread.tid(), thread));
    long nanos = Math.max(1, after.atNanos() - before.atNanos());
    List<ThreadUse> uses = new ArrayList<>();
    Set<Integer> cores = new HashSet<>();
    for (ProcThread now : after.threads()) {
      ProcThread then = old.get(now.tid());
      if (then != null && then.startTicks() == now.startTicks()) {
        uses.add(ThreadUse.between(then, now, nanos));
        cores.addAll(CpuList.parse(now.cpus()));
      }
    }
    uses.sort(
        Comparator.comparingDouble(ThreadUse::ran)
            .thenComparingDouble(ThreadUse::waited)
            .reversed()
            .thenComparingInt(use -> use.now().tid()));
    return new ProcessActivity(
        nanos / 1e9, uses, cores.size(), idle(before, after, cores) / nanos * 1e9);
  }

  /** Mean over some cores, in seconds. */
  private static double idle(Snapshot before, Snapshot after, Set<Integer> cores) {
    return cores.stream()
        .mapToDouble(
            core ->
                after.idleSeconds().getOrDefault(core, 0.0)
                    - before.idleSeconds().getOrDefault(core, 0.0))
        .average()
        .orElse(0);
  }

  /** Average number of cores that the process used. */
  public double ran() {
    return threads.stream().mapToDouble(ThreadUse::ran).sum();
  }

  /** Average number of threads that were runnable without a core. */
  public double waited() {
    return threads.stream().mapToDouble(ThreadUse::waited).sum();
  }
}
