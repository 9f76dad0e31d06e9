/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Restores a squeezed process. Only our settings are changed: a thread that has since set its own
 * cores or nice level keeps them.
 *
 * @param cores threads whose cores were restored
 * @param nices threads whose nice level was restored
 * @param ended whether the process had ended, so that nothing had to be restored
 */
public record Restore(int cores, int nices, boolean ended) {
  // New threads inherit from their creators, so one pass may miss some.
  private static final int PASSES = 20;

  /**
   * Restores by a journal and deletes it.
   *
   * @throws IOException if the journal cannot be read
   * @throws SqueezeException if threads remain squeezed; the journal is then kept
   */
  static Restore of(Path journal) throws IOException {
    SqueezeJournal.Content content = SqueezeJournal.read(journal);
    Restore all = new Restore(0, 0, !content.targetLives());
    for (int pass = 0; content.targetLives(); pass++) {
      Todo todo = Todo.of(content);
      if (todo.isEmpty()) {
        break;
      }
      if (pass == PASSES) {
        throw new SqueezeException(
            "could not restore everything of process "
                + content.pid()
                + ": "
                + todo.words()
                + ". As root, run ./manx contention restore; the journal is "
                + journal);
      }
      todo.run(content.pid());
      all = new Restore(all.cores + todo.cores(), all.nices + todo.nices(), false);
    }
    Files.deleteIfExists(journal);
    return all;
  }

  /** Deletes the journal of a squeeze that changed nothing. */
  static Restore ofNothing(Path journal) throws IOException {
    Files.deleteIfExists(journal);
    return new Restore(0, 0, false);
  }

  /** Restores only the nice levels, as far as possible; keeps the journal. */
  static void nices(Path journal) throws IOException {
    SqueezeJournal.Content content = SqueezeJournal.read(journal);
    for (int pass = 0; pass < PASSES && content.targetLives(); pass++) {
      Todo todo = new Todo(Map.of(), Todo.of(content).byNice, false);
      if (todo.isEmpty()) {
        return;
      }
      todo.run(content.pid());
    }
  }

  /**
   * The remaining work.
   *
   * @param byCpus threads by the cores to restore
   * @param byNice threads by the nice level to restore
   * @param everyThread whether all threads of the process get the same cores
   */
  private record Todo(
      Map<String, List<Integer>> byCpus, Map<Integer, List<Integer>> byNice, boolean everyThread) {
    static Todo of(SqueezeJournal.Content content) {
      Map<String, List<Integer>> byCpus = new TreeMap<>();
      Map<Integer, List<Integer>> byNice = new TreeMap<>();
      List<ProcThread> threads =
          content.originals().isEmpty() ? List.of() : Proc.threads(content.pid());
      SqueezeJournal.Original usual = threads.isEmpty() ? null : content.usual();
      int pinned = 0;
      for (ProcThread now : threads) {
        SqueezeJournal.Original own = content.originals().get(now.tid());
        boolean isNew = own == null || own.startTicks() != now.startTicks();
        SqueezeJournal.Original had = isNew ? usual : own;
        if (now.cpus().equals(content.cpus()) && !now.cpus().equals(had.cpus())) {
          byCpus.computeIfAbsent(had.cpus(), k -> new ArrayList<>()).add(now.tid());
          pinned++;
        }
        boolean ours = isNew || content.boosted().contains(now.tid());
        if (!content.boosted().isEmpty()
            && ours
            && now.nice() == content.nice()
            && now.nice() != had.nice()) {
          byNice.computeIfAbsent(had.nice(), k -> new ArrayList<>()).add(now.tid());
        }
      }
      return new Todo(byCpus, byNice, byCpus.size() == 1 && pinned == threads.size());
    }

    boolean isEmpty() {
      return byCpus.isEmpty() && byNice.isEmpty();
    }

    int cores() {
      return byCpus.values().stream().mapToInt(List::size).sum();
    }

    int nices() {
      return byNice.values().stream().mapToInt(List::size).sum();
    }

    String words() {
      return cores()
          + (cores() == 1 ? " thread is" : " threads are")
          + " still pinned, "
          + nices()
          + (nices() == 1 ? " still has" : " still have")
          + " our nice level";
    }

    /** Nice levels first: a thread boosted to -20 must not starve the others any longer. */
    void run(long pid) {
      byNice.forEach(Priorities::nice);
      if (everyThread) {
        Priorities.pinAll(byCpus.keySet().iterator().next(), pid);
      } else {
        byCpus.forEach(Priorities::pin);
      }
    }
  }
}
