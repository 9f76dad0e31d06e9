/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.contention.squeeze.JournalFolders;
import dev.manx.contention.squeeze.Squeezer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx contention}: squeezes and watches the threads of any running server. */
@Command(
    name = "contention",
    mixinStandardHelpOptions = true,
    description = {
      "Squeezes and watches the threads of any running server.",
      "This shows how they affect each other, in a mongod or a Cassandra node for",
      "example, when threads outnumber cores and priorities differ. Linux only.",
      "More: docs/operate/safe-waiting.md"
    },
    subcommands = {SqueezeCommand.class, WatchCommand.class, ContentionCommand.Restore.class})
final class ContentionCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "the command is missing: squeeze, watch or restore");
  }

  /** {@code manx contention restore}: restores threads if the guard was killed too. */
  @Command(
      name = "restore",
      mixinStandardHelpOptions = true,
      description = {
        "Restores the threads of a squeeze that was killed together with its guard.",
        "A squeeze that still runs is left alone. After a reboot, or the end of the",
        "squeezed process, there is nothing to restore."
      })
  static final class Restore implements Callable<Integer> {
    @Option(
        names = "--folder",
        paramLabel = "DIR",
        description =
            "A folder of journals, in place of root's, your own and that of the user who called"
                + " sudo. A squeeze prints its journal at its start.")
    private List<Path> folders = List.of();

    @Override
    public Integer call() {
      Terminal terminal = new Terminal();
      JournalFolders searched =
          folders.isEmpty() ? JournalFolders.ofUser() : new JournalFolders(folders.get(0), folders);
      List<Squeezer.Repaired> all = Squeezer.restoreAll(searched.all());
      if (all.isEmpty()) {
        terminal.line(
            "found no journal of a squeeze in "
                + searched.words()
                + "; for a journal of another user, run this as that user or with sudo, or give"
                + " --folder");
      }
      int code = 0;
      for (Squeezer.Repaired one : all) {
        terminal.line("process " + one.pid() + " (" + one.journal() + "): " + words(one));
        code = one.failure() == null ? code : 1;
      }
      return code;
    }

    private static String words(Squeezer.Repaired one) {
      if (one.atWork()) {
        return "is being squeezed now; left alone";
      }
      if (one.failure() != null) {
        return one.failure();
      }
      if (one.restore().ended()) {
        return "has ended; nothing to restore";
      }
      return one.restore().cores() + one.restore().nices() == 0
          ? "nothing to restore"
          : "gave "
              + WatchText.threads(one.restore().cores())
              + " their cores back and "
              + one.restore().nices()
              + " their nice level";
    }
  }
}
