/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import dev.manx.contention.proc.CpuQuota;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The activity of a process between two samples.
 *
 * @param seconds time between them
 * @param threads threads alive at both, the busiest first
 * @param idleByCore fraction of the time in which each core of the machine was idle; without those
 *     that are offline; empty if unknown
 * @param quotaCores the CPU quota of its control group, in cores; NaN without one
 * @param throttled time in which that quota kept its threads off the cores, as a fraction of the
 *     time between the samples; summed over cores, so it can be above 1; NaN without a quota
 */
public record ProcessActivity(
    double seconds,
    List<ThreadUse> threads,
    Map<Integer, Double> idleByCore,
    double quotaCores,
    double throttled) {
  /** Copies the collections. */
  public ProcessActivity {
    threads = List.copyOf(threads);
    idleByCore = Map.copyOf(idleByCore);
  }

  /**
   * All threads of a process, read one after another. Times are monotonic.
   *
   * @param atNanos when the cores and the quota were read
   * @param readNanos when each thread was read, by its id; those that are missing: at the same time
   * @param idleSeconds of each core since boot
   * @param quota the CPU quota of its control group, if it has one
   */
  public record Snapshot(
      long atNanos,
      List<ProcThread> threads,
      Map<Integer, Long> readNanos,
      Map<Integer, Double> idleSeconds,
      Optional<CpuQuota> quota) {
    /** Read at one time, of a process without a quota. */
    public Snapshot(long atNanos, List<ProcThread> threads, Map<Integer, Double> idleSeconds) {
      this(atNanos, threads, Map.of(), idleSeconds, Optional.empty());
    }

    /** Takes a snapshot; empty if the process has ended. */
    public static Snapshot of(long pid, LongSupplier nanoClock) {
      Map<Integer, Long> readNanos = new HashMap<>();
      List<ProcThread> threads =
          Proc.threads(pid, thread -> readNanos.put(thread.tid(), nanoClock.getAsLong()));
      return new Snapshot(
          nanoClock.getAsLong(), threads, readNanos, Proc.idleSeconds(), CpuQuota.of(pid));
    }

    private long readNanos(ProcThread thread) {
      return readNanos.getOrDefault(thread.tid(), atNanos);
    }
  }

  /** The activity between two snapshots. */
  public static ProcessActivity between(Snapshot before, Snapshot after) {
    Map<Integer, ProcThread> old = new HashMap<>();
    before.threads().forEach(thread -> old.put(thread.tid(), thread));
    long nanos = Math.max(1, after.atNanos() - before.atNanos());
    List<ThreadUse> uses = new ArrayList<>();
    for (ProcThread now : after.threads()) {
      ProcThread then = old.get(now.tid());
      if (then != null && then.startTicks() == now.startTicks()) {
        long own = Math.max(1, after.readNanos(now) - before.readNanos(then));
        uses.add(ThreadUse.between(then, now, own));
      }
    }
    uses.sort(
        Comparator.comparingDouble(ThreadUse::ran)
            .thenComparingDouble(ThreadUse::waited)
            .reversed()
            .thenComparingInt(use -> use.now().tid()));
    double seconds = nanos / 1e9;
    Map<Integer, Double> idle = new HashMap<>(after.idleSeconds());
    idle.keySet().retainAll(before.idleSeconds().keySet());
    idle.replaceAll((core, now) -> (now - before.idleSeconds().get(core)) / seconds);
    if (!Proc.areNumberedAlike(new ThreadCores(Map.of()).of(uses), idle.keySet())) {
      idle.clear();
    }
    boolean limited = before.quota().isPresent() && after.quota().isPresent();
    return new ProcessActivity(
        seconds,
        uses,
        idle,
        limited ? after.quota().get().cores() : Double.NaN,
        limited ? after.quota().get().throttledSince(before.quota().get()) / seconds : Double.NaN);
  }

  /** Number of online cores that its threads may use together. */
  public int cores() {
    return new ThreadCores(idleByCore).of(threads).size();
  }

  /** Fraction of the time in which those cores were idle; NaN if unknown. */
  public double idle() {
    ThreadCores cores = new ThreadCores(idleByCore);
    return cores.idle(cores.of(threads));
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
