/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.watch;

import java.util.List;

/**
 * The signature of spinning under starvation, as far as it shows from outside.
 *
 * @param spinning threads that held a core and gave it up for nothing
 * @param starving threads that wanted a core and hardly got one
 * @param atLimit whether the cores that the process may use had nothing left to give
 */
/*
 * The rule. All of
 *  1. The cores that the process may use are idle for at most 10 % of the time: at the limit. (Its own
 *     use says less: on a busy machine it gets less than its cores.)
 *  2. At least one thread spins: it wanted a core for at least 90 % of the time (running or
 *     runnable), ran for at least 5 % of it, and left the core by itself at most 20 times for each
 *     second that it ran. A thread that serves requests waits for the next one; one that sleeps
 *     between checks leaves the core hundreds of times a second; one that yields stays runnable
 *     and counts as spinning, rightly.
 *  3. At least one other thread starves: it was runnable without a core for at least 30 % of the
 *     time, and for each second that it ran it waited at least ten, and the average spinner got
 *     four times its share or more.
 *
 * Threads that compute on equal terms are not flagged: they share the cores evenly (3). A
 * computation of higher priority looks just like a spin from outside; only its stack tells.
 */
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

  /** Whether the signature is there. */
  public boolean flagged() {
    return atLimit && !spinning.isEmpty() && !starving.isEmpty();
  }

  /** One sentence. */
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
