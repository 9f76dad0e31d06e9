/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.contention.proc.ProcThread;
import dev.manx.contention.squeeze.Schedule;
import dev.manx.contention.squeeze.Squeeze;
import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.squeeze.SqueezeReport;
import dev.manx.contention.squeeze.SqueezedProcess;
import dev.manx.contention.squeeze.Squeezer;
import dev.manx.load.ShutdownHook;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Units;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx contention squeeze}: restricts a process for a while. */
@Command(
    name = "squeeze",
    mixinStandardHelpOptions = true,
    description = {
      "Restricts the threads of a running process for a while.",
      "It pins all of them to few cores and gives some of them another nice level.",
      "Afterwards, and also if this command is interrupted or killed, every thread is",
      "restored."
    },
    footer = {
      "",
      "Examples:",
      "  sudo ./manx contention squeeze --pid $(pgrep -x mongod) --cores 1 --boost 4",
      "  sudo ./manx contention squeeze --pid 4711 --cores 2 --threads 'Read*'",
      "  ./manx contention squeeze --pid 4711 --cores 1     no root: your own process",
      "  ./manx contention squeeze --pid 4711 --cores 1 --boost 4 --dry-run",
      "On another terminal, run ./manx contention watch --pid 4711"
    })
final class SqueezeCommand implements Callable<Integer> {
  private static final String ARGUMENTS = "command line";
  private static final int NAMES_SHOWN = 12;

  @Option(names = "--pid", paramLabel = "PID", required = true, description = "The process.")
  private long pid;

  @Option(
      names = "--cores",
      paramLabel = "K",
      description = "Pin all threads to the first K of the cores that the process may use.")
  private String cores;

  @Option(
      names = "--boost",
      paramLabel = "M",
      description =
          "Give the nice level to the M busiest threads, or to M of the threads of --threads.")
  private String boost;

  @Option(
      names = "--threads",
      paramLabel = "PATTERN",
      description =
          "Names of threads to boost, * and ? as in file names. Linux cuts names at 15 characters.")
  private String threads;

  @Option(
      names = "--nice",
      paramLabel = "N",
      description = "Nice level of the boosted threads, -20 (strongest) to 19 (default: -20).")
  private String nice;

  @Option(
      names = "--for",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "Duration, 100ms to 24h (default: ${DEFAULT-VALUE}).")
  private String time;

  @Option(names = "--dry-run", description = "Print the planned changes without making them.")
  private boolean dryRun;

  @Spec private CommandSpec spec;

  private boolean journalShown;

  @Override
  public Integer call() throws InterruptedException {
    Squeeze squeeze = squeeze();
    long nanos =
        ConfigNode.option(ARGUMENTS, "--for", time)
            .durationNanos(Schedule.LEAST_NANOS, Schedule.MOST_NANOS);
    Terminal terminal = new Terminal();
    SqueezedProcess target = SqueezedProcess.check(pid, squeeze);
    if (dryRun) {
      dryRun(target, squeeze, nanos, terminal);
      return 0;
    }
    Squeezer squeezer =
        Squeezer.prepare(
            target,
            squeeze,
            Schedule.of(nanos),
            Squeezer.folder(),
            line -> show(line, nanos, terminal));
    ShutdownHook hook = new ShutdownHook("manx-end-squeeze", () -> end(squeezer));
    hook.add();
    SqueezeReport report;
    try {
      squeezer.go();
      report = squeezer.await();
    } catch (SqueezeException e) {
      if (hook.remove()) {
        throw e;
      }
      return 1;
    }
    hook.remove();
    terminal.line(
        report.ended()
            ? "process " + pid + " has ended; there is nothing to restore"
            : "restored: cores of "
                + WatchText.threads(report.cores())
                + ", nice level of "
                + report.nices());
    return 0;
  }

  /**
   * Called while the JVM ends: waits until everything is restored, and reports errors instead of
   * call().
   */
  private static void end(Squeezer squeezer) {
    try {
      squeezer.close();
    } catch (SqueezeException e) {
      new Terminal().line("manx: " + e.getMessage());
    }
  }

  private void dryRun(SqueezedProcess target, Squeeze squeeze, long nanos, Terminal terminal)
      throws InterruptedException {
    terminal.line(
        "would squeeze process " + pid + " for " + Units.duration(nanos) + ": " + squeeze.words());
    if (squeeze.cores() > 0) {
      terminal.line(
          WatchText.threads(target.threadCount()) + " to cores " + target.pinnedTo(squeeze));
    }
    if (squeeze.boost() > 0) {
      List<ProcThread> chosen = target.chosen(squeeze);
      terminal.line(
          "nice " + squeeze.nice() + " for " + WatchText.threads(chosen.size()) + " (as of now): ");
      for (ProcThread thread : chosen) {
        terminal.line(
            String.format("  %7d  %-15s  now nice %d", thread.tid(), thread.name(), thread.nice()));
      }
    }
  }

  private void show(String line, long nanos, Terminal terminal) {
    String[] words = line.split(" ", 4);
    if (words[0].equals("pinned")) {
      terminal.line(
          "pinned "
              + WatchText.threads(Integer.parseInt(words[2]))
              + " to cores "
              + words[3]
              + " for "
              + Units.duration(nanos)
              + "; Ctrl-C restores at once");
      showJournal(terminal);
    } else if (words[0].equals("boosted")) {
      List<String> names = List.of(words[3].split(",", -1));
      terminal.line(
          "boosted "
              + WatchText.threads(Integer.parseInt(words[2]))
              + ": "
              + String.join(", ", names.subList(0, Math.min(NAMES_SHOWN, names.size())))
              + (names.size() > NAMES_SHOWN ? ", ..." : ""));
      showJournal(terminal);
    } else if (words[0].equals("partly")) {
      terminal.line(line.substring(words[0].length() + 1));
    } else if (words[0].equals("retrying")) {
      terminal.line(line.substring(words[0].length() + 1) + "; trying again until it is done");
    } else if (words[0].equals("the")) {
      terminal.line(line);
    }
  }

  private void showJournal(Terminal terminal) {
    if (!journalShown) {
      journalShown = true;
      terminal.line(
          "journal: "
              + Squeezer.journal(Squeezer.folder(), pid)
              + "; if this command and its guard are both killed, run ./manx contention restore");
    }
  }

  /** The options as a mapping, so that invalid ones are refused like other settings. */
  private Squeeze squeeze() {
    Map<String, String> set = new LinkedHashMap<>();
    put(set, "cores", cores);
    put(set, "boost", boost);
    put(set, "threads", threads);
    put(set, "nice", nice);
    if (cores == null && boost == null && threads == null) {
      throw new ParameterException(
          spec.commandLine(), "nothing to squeeze: give --cores, --boost or --threads");
    }
    ConfigNode node = ConfigNode.parseGenerated(ARGUMENTS, String.join("\n", lines(set)));
    Squeeze squeeze = Squeeze.read(node);
    node.noOtherKeys();
    return squeeze;
  }

  private static List<String> lines(Map<String, String> set) {
    return set.entrySet().stream()
        .map(e -> e.getKey() + ": '" + e.getValue().replace("'", "''") + "'")
        .toList();
  }

  private static void put(Map<String, String> set, String key, String value) {
    if (value != null) {
      set.put(key, value);
    }
  }
}
