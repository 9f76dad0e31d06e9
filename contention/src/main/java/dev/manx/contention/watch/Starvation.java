/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import java.util.List;
import java.util.Locale;
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
 *  5. The interval has at least two turns for each thread that wants these cores. Or one of these
 *     spinners has a higher priority.
 *
 * Threads that compute on equal terms are not flagged: they share the cores evenly (4), but only
 * over some turns of the scheduler, so that in a shorter interval some of them do not run at all
 * (5). From outside, a computation of higher priority looks like a spin; only its stack shows the
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
  // A turn is a tick or a slice of the scheduler: 1 to 4 ms mostly, 10 ms with 100 ticks a second.
  private static final double TURN_SECONDS = 0.01;
  private static final double TURNS = 2;
  private static final double ROUNDING = 1e-6;
  // Of the kernel: real-time threads come before all nice levels, idle ones after them.
  private static final int BEFORE_NICE = -100;
  private static final int AFTER_NICE = 100;

  /** Applies the rule. */
  public static Starvation in(ProcessActivity look) {
    ThreadCores cores = new ThreadCores(look.idleByCore());
    boolean exhausted = look.throttled() > THROTTLED;
    List<ThreadUse> wanting =
        look.threads().stream().filter(thread -> thread.wanted() >= WANTS).toList();
    List<ThreadUse> spinning =
        wanting.stream().filter(thread -> spins(thread, wanting, cores, exhausted)).toList();
    Set<ThreadUse> spinners = Set.copyOf(spinning);
    List<ThreadUse> behind =
        look.threads().stream()
            .filter(thread -> thread.waited() >= WAITS)
            .filter(thread -> thread.waited() >= WAITS_FOR_EACH_RUN * thread.ran())
            .filter(thread -> !spinners.contains(thread))
            .filter(thread -> exhausted || cores.idle(cores.of(thread)) <= IDLE)
            .filter(thread -> isBehind(thread, competing(thread, spinning, cores, exhausted)))
            .toList();
    List<ThreadUse> starving =
        behind.stream()
            .filter(
                thread ->
                    secondsForTurns(thread, wanting, cores, exhausted) <= look.seconds()
                        || competing(thread, spinning, cores, exhausted).stream()
                            .anyMatch(spinner -> priority(spinner) < priority(thread)))
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
        !starving.isEmpty() || behind.isEmpty()
            ? unmeasured(look, exhausted || !Double.isNaN(idle))
            : tooShort(
                behind.size(),
                behind.stream()
                    .mapToDouble(thread -> secondsForTurns(thread, wanting, cores, exhausted))
                    .max()
                    .orElseThrow()));
  }

  /** The interval that has some turns for each thread that wants the cores of one of them. */
  private static double secondsForTurns(
      ThreadUse thread, List<ThreadUse> wanting, ThreadCores cores, boolean exhausted) {
    List<ThreadUse> all = competing(thread, wanting, cores, exhausted);
    return all.isEmpty() ? 0 : TURNS * TURN_SECONDS / share(thread, all, cores, exhausted);
  }

  /** Low values come first. */
  private static int priority(ThreadUse thread) {
    String scheduling = thread.now().scheduling();
    return thread.now().niceCounts()
        ? thread.now().nice()
        : scheduling.equals("IDLE") ? AFTER_NICE : BEFORE_NICE;
  }

  private static String tooShort(int behind, double seconds) {
    return String.format(
        Locale.ROOT,
        "%d %s hardly a turn, but the interval is too short for a turn of each thread that wants"
            + " a core; use --interval %.0fms or more",
        behind,
        behind == 1 ? "thread got" : "threads got",
        100 * Math.ceil(10 * seconds - ROUNDING));
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
    double share = share(thread, competing(thread, wanting, cores, exhausted), cores, exhausted);
    return thread.ran() >= Math.min(RUNS, RUNS_OF_FAIR_SHARE * share);
  }

  /** The fair share of a thread among those that want its cores. */
  private static double share(
      ThreadUse thread, List<ThreadUse> all, ThreadCores cores, boolean exhausted) {
    // A quota gives fewer cores than the threads may run on: what they ran is all that it gives.
    return exhausted ? ran(all) : (double) cores.of(thread).size() / all.size();
  }

  private static List<ThreadUse> competing(
      ThreadUse thread, List<ThreadUse> others, ThreadCores cores, boolean exhausted) {
    return others.stream().filter(other -> exhausted || cores.shared(thread, other)).toList();
  }

  private static boolean isBehind(ThreadUse thread, List<ThreadUse> spinning) {
    double ran = ran(spinning);
    return ran > 0 && ran >= AHEAD * thread.ran();
  }

  /** Mean; 0 without a thread. */
  private static double ran(List<ThreadUse> threads) {
    return threads.stream().mapToDouble(ThreadUse::ran).average().orElse(0);
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
