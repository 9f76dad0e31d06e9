/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.contention.squeeze.SqueezeException;
import dev.manx.contention.watch.ProcessActivity;
import dev.manx.contention.watch.Starvation;
import dev.manx.operate.text.Screen;
import dev.manx.policy.config.ConfigNode;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code manx contention watch}: shows the threads of a process. */
@Command(
    name = "watch",
    mixinStandardHelpOptions = true,
    description = {
      "Shows how much each thread of a running process runs and waits for a core.",
      "It also shows nice levels, and reports when some threads keep their cores",
      "without ever waiting while others starve, which is how spinning looks from",
      "outside. Changes nothing."
    },
    footer = {
      "",
      "Columns: ran and waited as shares of the interval; left and taken: times a",
      "second that the thread left the core voluntarily and involuntarily; mark:",
      "S spins, * starves. In place of a nice level without effect: the scheduling",
      "class (FIFO 10). throttled: by the CPU quota of a control group, summed over",
      "cores. With --once, exit code 1 if nothing could be measured. The rule is in",
      "docs/operate/safe-waiting.md. A stall is often shorter than a second: look for",
      "it with --interval 200ms.",
      "",
      "Examples:",
      "  ./manx contention watch --pid $(pgrep -x mongod)",
      "  ./manx contention watch --pid 4711 --once --json | jq .flagged"
    })
final class WatchCommand implements Callable<Integer> {
  private static final String CLEAR = "\033[H\033[2J";

  @Option(names = "--pid", paramLabel = "PID", required = true, description = "The process.")
  private long pid;

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "1s",
      description = "Length of an interval, 50ms to 1h (default: ${DEFAULT-VALUE}).")
  private String interval;

  @Option(names = "--once", description = "One interval only.")
  private boolean once;

  @Option(
      names = "--top",
      paramLabel = "N",
      defaultValue = "20",
      description = "Threads shown in the table (default: ${DEFAULT-VALUE}).")
  private int top;

  @Option(names = "--csv", description = "All threads as CSV, with a header.")
  private boolean csv;

  @Option(names = "--json", description = "All threads, one JSON object per interval and line.")
  private boolean json;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws InterruptedException {
    long nanos =
        ConfigNode.option("watch", "--interval", interval)
            .durationNanos(TimeUnit.MILLISECONDS.toNanos(50), TimeUnit.HOURS.toNanos(1));
    ConfigNode.option("watch", "--top", Integer.toString(top)).integer(1, 1_000_000);
    if (csv && json) {
      throw new ParameterException(spec.commandLine(), "give --csv or --json, not both");
    }
    Terminal terminal = new Terminal();
    boolean live = Screen.isLive();
    String clear = live && !once && !csv && !json ? CLEAR : "";
    if (csv) {
      terminal.line(WatchText.CSV_HEADER);
    }
    // The first sample takes longer, because it loads classes.
    ProcessActivity.Snapshot.of(pid, System::nanoTime);
    ProcessActivity.Snapshot before = ProcessActivity.Snapshot.of(pid, System::nanoTime);
    if (before.threads().isEmpty()) {
      throw new SqueezeException(
          "there is no process "
              + pid
              + "; `pgrep -a mongod` or `jps -l` finds the id of a server");
    }
    double seconds = 0;
    do {
      TimeUnit.NANOSECONDS.sleep(nanos);
      ProcessActivity.Snapshot after = ProcessActivity.Snapshot.of(pid, System::nanoTime);
      if (after.threads().isEmpty()) {
        if (!csv && !json) {
          terminal.line("process " + pid + " has ended");
        }
        return once ? 1 : 0;
      }
      ProcessActivity look = ProcessActivity.between(before, after);
      seconds += look.seconds();
      terminal.line(
          csv
              ? WatchText.csv(seconds, look)
              : json
                  ? WatchText.json(pid, seconds, look)
                  : clear + WatchText.table(pid, look, top));
      if (once && !Starvation.in(look).measured()) {
        return 1;
      }
      before = after;
    } while (!once && !terminal.isClosed());
    return 0;
  }
}
