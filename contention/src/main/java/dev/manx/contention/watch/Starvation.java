/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import java.util.List;
import java.util.Set;

/**
 * Symptoms of spinning under starvation, as visible from outside.
 *
 * @param spinning threads that held a core without giving it up to wait
 * @param starving threads that were runnable but hardly got a core, because of spinning ones
 * @param blamed those of the spinning threads that the starving ones compete with
 * @param atLimit whether the cores that the process may use, or that starving threads of it may
 *     use, were fully used, or its CPU quota was
 * @param unmeasured why the symptoms cannot be measured; empty if they can
 */
/* The rule. All of
 *  1. A thread starves: it was runnable without a core for at least 30 % of the time, and for each
 *     second that it ran it waited at least ten.
 *  2. The cores that this thread may use are at their limit: idle for at most 10 % of the time. Or
 *     the CPU quota of the process is: it kept threads off their cores for more than 10 % of the
 *     time. (The CPU usage of the process is a weaker sign: on a busy machine it gets less than its
 *     cores. The cores of other threads say nothing: a program may pin its workers only.)
 *  3. Another thread that may use one of these cores (with an exhausted quota: any other) spins: it
 *     wanted a core for at least 90 % of the time (running or runnable), left the core voluntarily
 *     at most 20 times for each second that it ran, and ran for at least 5 % of the time, or half
 *     its fair share where many threads want its cores. A thread that serves requests waits for the
 *     next one. A thread that sleeps between checks leaves the core hundreds of times a second. A
 *     thread that yields stays runnable and rightly counts as spinning.
 *  4. The average of these spinners ran at least four times as much as the starving thread.
 *
 * Threads that compute on equal terms are not flagged: they share the cores evenly (4). From
 * outside, a computation of higher priority looks like a spin; only its stack shows the
 * difference. */
public record Starvation(
    List<ThreadUse> spinning,
    List<ThreadUse> starving,
    List<ThreadUse> blamed,
    boolean atLimit,
    String unmeasured) {
  private static final double IDLE = 0.1;
  private static final double THROTTLED = 0.1;
  private static final double WANTS = 0.9;
  private static final double RUNS = 0.05;
  private static final double RUNS_OF_FAIR_SHARE = 0.5;
  private static final double LEAVES_PER_RUN_SECOND = 20;
  private static final double WAITS = 0.3;
  private static final double WAITS_FOR_EACH_RUN = 10;
  private static final double AHEAD = 4;

  /** Applies the rule. */
  public static Starvation in(ProcessActivity look) {
    ThreadCores cores = new ThreadCores(look.idleByCore());
    boolean exhausted = look.throttled() > THROTTLED;
    List<ThreadUse> wanting =
        look.threads().stream().filter(thread -> thread.wanted() >= WANTS).toList();
    List<ThreadUse> spinning =
        wanting.stream().filter(thread -> spins(thread, wanting, cores, exhausted)).toList();
    Set<ThreadUse> spinners = Set.copyOf(spinning);
    List<ThreadUse> starving =
        look.threads().stream()
            .filter(thread -> thread.waited() >= WAITS)
            .filter(thread -> thread.waited() >= WAITS_FOR_EACH_RUN * thread.ran())
            .filter(thread -> !spinners.contains(thread))
            .filter(thread -> exhausted || cores.idle(cores.of(thread)) <= IDLE)
            .filter(
                thread ->
                    ran(competing(thread, spinning, cores, exhausted)) >= AHEAD * thread.ran())
            .toList();
    List<ThreadUse> blamed =
        spinning.stream()
            .filter(one -> !competing(one, starving, cores, exhausted).isEmpty())
            .toList();
    double idle = cores.idle(cores.of(look.threads()));
    return new Starvation(
        spinning,
        starving,
        blamed,
        !starving.isEmpty() || exhausted || idle <= IDLE,
        unmeasured(look, exhausted || !Double.isNaN(idle)));
  }

  private static String unmeasured(ProcessActivity look, boolean limitIsKnown) {
    if (look.threads().isEmpty()) {
      return "no thread lived during the whole interval";
    }
    if (look.threads().stream().allMatch(use -> use.now().ranNanos() == 0)) {
      return "this kernel has no /proc/PID/task/TID/schedstat";
    }
    return limitIsKnown ? "" : "the idle time of its cores is unknown, because /proc/stat lacks it";
  }

  private static boolean spins(
      ThreadUse thread, List<ThreadUse> wanting, ThreadCores cores, boolean exhausted) {
    if (thread.voluntaryPerSecond() > LEAVES_PER_RUN_SECOND * thread.ran()) {
      return false;
    }
    List<ThreadUse> all = competing(thread, wanting, cores, exhausted);
    // A quota gives fewer cores than the threads may run on: what they ran is all that it gives.
    double share = exhausted ? ran(all) : (double) cores.of(thread).size() / all.size();
    return thread.ran() >= Math.min(RUNS, RUNS_OF_FAIR_SHARE * share);
  }

  private static List<ThreadUse> competing(
      ThreadUse thread, List<ThreadUse> others, ThreadCores cores, boolean exhausted) {
    return others.stream().filter(other -> exhausted || cores.shared(thread, other)).toList();
  }

  /** Mean; negative without a thread, so that no thread is behind. */
  private static double ran(List<ThreadUse> threads) {
    return threads.stream().mapToDouble(ThreadUse::ran).average().orElse(-1);
  }

  /** Whether the symptoms can be measured at all. */
  public boolean measured() {
    return unmeasured.isEmpty();
  }

  /** Whether all symptoms are present. */
  public boolean flagged() {
    return measured() && !starving.isEmpty();
  }

  /** A description in one sentence. */
  public String words() {
    if (!measured()) {
      return "cannot be measured: " + unmeasured;
    }
    if (!flagged()) {
      return atLimit
          ? "at the limit of its cores; no thread spins while others starve"
          : "no sign of spinning under starvation";
    }
    return String.format(
        "%d %s a core without ever waiting for anything while %d %s: spinning under starvation, or"
            + " a computation of higher priority; look at the stack of %s (%d)",
        blamed.size(),
        blamed.size() == 1 ? "thread keeps" : "threads keep",
        starving.size(),
        starving.size() == 1 ? "other starves" : "others starve",
        blamed.get(0).now().name(),
        blamed.get(0).now().tid());
  }
}
