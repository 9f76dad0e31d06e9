/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import java.util.List;

/**
 * Symptoms of spinning under starvation, as visible from outside.
 *
 * @param spinning threads that held a core without giving it up to wait
 * @param starving threads that were runnable but hardly got a core
 * @param atLimit whether the cores that the process may use were fully used
 */
/* The rule. All of
 *  1. The cores that the process may use are idle for at most 10 % of the time: at the limit. (Its
 *     own CPU usage is a weaker sign: on a busy machine it gets less than its cores.)
 *  2. At least one thread spins: it wanted a core for at least 90 % of the time (running or
 *     runnable), ran for at least 5 % of it, and left the core voluntarily at most 20 times for
 *     each second that it ran. A thread that serves requests waits for the next one. A thread that
 *     sleeps between checks leaves the core hundreds of times a second. A thread that yields stays
 *     runnable and rightly counts as spinning.
 *  3. At least one other thread starves: it was runnable without a core for at least 30 % of the
 *     time, and for each second that it ran it waited at least ten, and the average spinner got
 *     at least four times its share.
 *
 * Threads that compute on equal terms are not flagged: they share the cores evenly (3). From
 * outside, a computation of higher priority looks like a spin; only its stack shows the
 * difference. */
public record Starvation(List<ThreadUse> spinning, List<ThreadUse> starving, boolean atLimit) {
  private static final double IDLE = 0.1;
  private static final double WANTS = 0.9;
  private static final double RUNS = 0.05;
  private static final double LEAVES_PER_RUN_SECOND = 20;
  private static final double WAITS = 0.3;
  private static final double WAITS_FOR_EACH_RUN = 10;
  private static final double AHEAD = 4;

  /** Applies the rule. */
  public static Starvation in(ProcessActivity look) {
    List<ThreadUse> spinning = look.threads().stream().filter(Starvation::spins).toList();
    double got = spinning.stream().mapToDouble(ThreadUse::ran).average().orElse(0);
    List<ThreadUse> starving =
        look.threads().stream()
            .filter(thread -> !spins(thread))
            .filter(thread -> thread.waited() >= WAITS)
            .filter(thread -> thread.waited() >= WAITS_FOR_EACH_RUN * thread.ran())
            .filter(thread -> got >= AHEAD * thread.ran())
            .toList();
    return new Starvation(spinning, starving, look.cores() > 0 && look.idle() <= IDLE);
  }

  private static boolean spins(ThreadUse thread) {
    return thread.wanted() >= WANTS
        && thread.ran() >= RUNS
        && thread.voluntaryPerSecond() <= LEAVES_PER_RUN_SECOND * thread.ran();
  }

  /** Whether all symptoms are present. */
  public boolean flagged() {
    return atLimit && !spinning.isEmpty() && !starving.isEmpty();
  }

  /** A description in one sentence. */
  public String words() {
    if (!flagged()) {
      return atLimit
          ? "at the limit of its cores; no thread spins while others starve"
          : "no sign of spinning under starvation";
    }
    return String.format(
        "%d %s a core without ever waiting for anything while %d %s: spinning under starvation, or"
            + " a computation of higher priority; look at the stack of %s (%d)",
        spinning.size(),
        spinning.size() == 1 ? "thread keeps" : "threads keep",
        starving.size(),
        starving.size() == 1 ? "other starves" : "others starve",
        spinning.get(0).now().name(),
        spinning.get(0).now().tid());
  }
}
