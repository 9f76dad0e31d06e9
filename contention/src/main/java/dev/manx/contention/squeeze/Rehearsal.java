/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.contention.squeeze;

import dev.manx.contention.proc.CpuList;
import dev.manx.contention.proc.Proc;
import dev.manx.contention.proc.ProcThread;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Restores a process of its own by a journal, before anything is squeezed. All classes that restore
 * are then loaded: at the end of the squeeze, a new build may have replaced their jar. And tools or
 * permissions that are missing are noticed in time.
 */
final class Rehearsal {
  private static final int WEAKEST = 19;

  private Rehearsal() {}

  /**
   * Restores a process in an invented way: it gets its first core and a weaker nice level, which
   * needs no permission.
   *
   * @param folder of the journals
   * @throws SqueezeException if that does not work
   */
  static void restore(Path folder) throws IOException {
    // Ends with its input, and so with this JVM.
    Process own = new ProcessBuilder("cat").start();
    try {
      ProcThread thread = Proc.process(own.pid()).orElseThrow();
      List<Integer> cores = Proc.online(CpuList.parse(thread.cpus()));
      int weaker = Math.min(WEAKEST, thread.nice() + 1);
      Path journal = journal(folder, thread, CpuList.format(cores.subList(0, 1)), weaker);
      try {
        Restore.of(journal);
      } finally {
        Files.deleteIfExists(journal);
      }
      ProcThread after = Proc.process(own.pid()).orElseThrow();
      if (after.nice() != weaker || CpuList.parse(after.cpus()).size() != 1) {
        throw new SqueezeException(
            "a trial did not restore cores and nice level of a process: instead of core "
                + cores.get(0)
                + " and "
                + weaker
                + ", it has "
                + after.cpus()
                + " and "
                + after.nice());
      }
    } finally {
      own.destroyForcibly();
    }
  }

  private static Path journal(Path folder, ProcThread thread, String cores, int nice)
      throws IOException {
    try (SqueezeJournal journal =
        SqueezeJournal.create(
            folder, List.of(), thread.tid(), thread.startTicks(), thread.cpus(), thread.nice())) {
      journal.originals(
          List.of(new SqueezeJournal.Original(thread.tid(), thread.startTicks(), nice, cores)));
      journal.boosted(List.of(thread.tid()));
      return journal.file();
    }
  }
}
