/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import dev.manx.contention.squeeze.Priorities.Outcome;
import dev.manx.policy.idle.ThreadWaiter;
import dev.manx.policy.idle.Waiter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Restores the threads of a squeezed process, and of the processes that it has started during the
 * squeeze. Confined to one thread.
 */
/* Threads inherit cores and nice level from their creator, and so do processes: one pass over the
 * threads may miss some that are created meanwhile, and a pass that changed something is followed by
 * another. A tool may fail for a reason that passes, for example where a limit of processes is
 * reached, which a squeeze can cause: so a pass that failed is repeated after a pause.
 *
 * A thread counts as restored when the tools have succeeded for it, not when it looks as before: the
 * cores that its cpuset permits may have changed meanwhile.
 *
 * Cores: since Linux 6.2 the kernel remembers the cores that were set for a thread and keeps it to
 * them when its cpuset grows. So a thread is first permitted all cores that the machine may have,
 * which its cpuset reduces to its own. Only if it may then use more than before, it had limited
 * itself, and its own list is set. (A restorer that is killed between these two steps leaves it with
 * the cores of its cpuset.) */
final class Restorer {
  private static final int PASSES = 20;
  private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LONGEST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);
  // Loaded with this class: the jar may be another one at the end of a squeeze.
  private static final Waiter WAITER = ThreadWaiter.INSTANCE;

  private final SqueezeJournal.Content content;
  // Threads that had to be restored, and whether the tools have succeeded for them.
  private final Map<Id, Boolean> cores = new HashMap<>();
  private final Map<Id, Boolean> nices = new HashMap<>();
  private String cause = "";

  /** One thread, not a later one with its id. */
  private record Id(int tid, long startTicks) {
    static Id of(ProcThread thread) {
      return new Id(thread.tid(), thread.startTicks());
    }
  }

  /** The threads to restore, by their setting before the squeeze. */
  private record Todo(Map<Integer, List<ProcThread>> nices, Map<String, List<ProcThread>> cores) {
    boolean isEmpty() {
      return nices.isEmpty() && cores.isEmpty();
    }
  }

  Restorer(SqueezeJournal.Content content) {
    this.content = content;
  }

  /**
   * Restores everything, as often as it takes while the process lives.
   *
   * @param complaint receives the reason, once, if it takes long
   */
  Restore persistently(Consumer<String> complaint) {
    boolean complained = false;
    while (true) {
      try {
        return all();
      } catch (SqueezeException e) {
        if (!complained) {
          complained = true;
          complaint.accept(e.getMessage());
        }
        WAITER.park(RETRY_NANOS);
      }
    }
  }

  /**
   * Restores everything.
   *
   * @throws SqueezeException if threads remain squeezed after some passes
   */
  Restore all() {
    boolean lived = content.targetLives();
    repeat(true);
    boolean nothing = cores.isEmpty() && nices.isEmpty();
    return new Restore(cores.size(), nices.size(), !lived && nothing);
  }

  /**
   * Restores nice levels only.
   *
   * @throws SqueezeException if threads keep ours after some passes
   */
  void nices() {
    repeat(false);
  }

  /** Until nothing is left to do, or the process has ended. */
  private void repeat(boolean coresToo) {
    long pause = FIRST_PAUSE_NANOS;
    for (int pass = 0; content.targetLives(); pass++) {
      Todo todo = todo(coresToo);
      if (todo.isEmpty()) {
        return;
      }
      if (pass == PASSES) {
        throw new SqueezeException(words(todo));
      }
      if (!pass(todo)) {
        WAITER.park(pause);
        pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
      }
    }
  }

  private Todo todo(boolean coresToo) {
    Todo todo = new Todo(new TreeMap<>(), new TreeMap<>());
    List<ProcThread> threads = threads();
    SqueezeJournal.Original usual = threads.isEmpty() ? null : content.usual();
    for (ProcThread now : threads) {
      SqueezeJournal.Original own = content.originals().get(now.tid());
      boolean isNew = own == null || own.startTicks() != now.startTicks();
      SqueezeJournal.Original had = isNew ? usual : own;
      boolean boosted =
          !content.boosted().isEmpty() && (isNew || content.boosted().contains(now.tid()));
      if (boosted
          && now.nice() == content.nice()
          && now.nice() != had.nice()
          && !nices.getOrDefault(Id.of(now), false)) {
        nices.put(Id.of(now), false);
        todo.nices.computeIfAbsent(had.nice(), any -> new ArrayList<>()).add(now);
      }
      if (coresToo
          && !content.cpus().isEmpty()
          && !now.fixed()
          && now.cpus().equals(content.cpus())
          && !cores.getOrDefault(Id.of(now), false)) {
        cores.put(Id.of(now), false);
        todo.cores.computeIfAbsent(had.cpus(), any -> new ArrayList<>()).add(now);
      }
    }
    return todo;
  }

  /** The threads that may be squeezed. */
  private List<ProcThread> threads() {
    if (content.originals().isEmpty()) {
      return List.of();
    }
    List<ProcThread> threads = new ArrayList<>(Proc.threads(content.pid()));
    boolean any = Proc.maySetPriorities();
    Optional<String> own = Proc.user(ProcessHandle.current().pid());
    for (long started : Proc.startedBy(content.pid(), content.sinceTicks())) {
      // Those of other users may not be changed: trying would never end.
      if (any || Proc.user(started).equals(own)) {
        threads.addAll(Proc.threads(started));
      }
    }
    threads.removeIf(ProcThread::ended);
    return threads;
  }

  /**
   * Nice levels first: a thread boosted to -20 must not starve the others any longer. Returns
   * whether it succeeded for all threads.
   */
  private boolean pass(Todo todo) {
    boolean done = true;
    for (Map.Entry<Integer, List<ProcThread>> some : todo.nices.entrySet()) {
      Outcome outcome = Priorities.nice(some.getKey(), tids(some.getValue()));
      done &= settle(outcome, some.getValue(), nices);
    }
    for (Map.Entry<String, List<ProcThread>> some : todo.cores.entrySet()) {
      Outcome outcome = cores(some.getKey(), some.getValue());
      done &= settle(outcome, some.getValue(), cores);
    }
    return done;
  }

  private Outcome cores(String had, List<ProcThread> threads) {
    String possible = Proc.possibleCores();
    if (possible.isEmpty()) {
      return Priorities.pin(had, tids(threads));
    }
    Outcome freed = free(possible, tids(threads));
    List<Integer> before = CpuList.parse(had);
    List<Integer> limited =
        tids(threads).stream().filter(tid -> !before.containsAll(coresOf(tid))).toList();
    return limited.isEmpty() ? freed : freed.and(Priorities.pin(had, limited));
  }

  private Outcome free(String possible, List<Integer> tids) {
    boolean every = Set.copyOf(tids).equals(Set.copyOf(tids(Proc.threads(content.pid()))));
    return every && Priorities.pinAll(possible, content.pid()).done()
        ? Outcome.NOTHING
        : Priorities.pin(possible, tids);
  }

  private static List<Integer> coresOf(int tid) {
    return Proc.process(tid).map(thread -> CpuList.parse(thread.cpus())).orElse(List.of());
  }

  private boolean settle(Outcome outcome, List<ProcThread> threads, Map<Id, Boolean> settled) {
    if (outcome.done()) {
      threads.forEach(thread -> settled.put(Id.of(thread), true));
    } else {
      cause = outcome.lastLine();
    }
    return outcome.done();
  }

  private static List<Integer> tids(List<ProcThread> threads) {
    return threads.stream().map(ProcThread::tid).toList();
  }

  private String words(Todo todo) {
    int pinned = todo.cores.values().stream().mapToInt(List::size).sum();
    int boosted = todo.nices.values().stream().mapToInt(List::size).sum();
    return "could not restore everything of process "
        + content.pid()
        + ": "
        + pinned
        + (pinned == 1 ? " thread is" : " threads are")
        + " still pinned, "
        + boosted
        + (boosted == 1 ? " still has" : " still have")
        + " our nice level"
        + (cause.isEmpty() ? "" : " (" + cause + ")");
  }
}
