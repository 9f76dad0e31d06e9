/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.top;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.connect.ClusterOptions;
import dev.manx.operate.connect.OnCluster;
import dev.manx.operate.text.Screen;
import dev.manx.operate.text.TerminalSize;
import java.time.Instant;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code manx top}. */
@Command(
    name = "top",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Shows Manx's activity on each node, continuously.",
      "On a terminal the view is refreshed in place, with as many nodes as fit, those in trouble first; elsewhere, and if NO_LIVE is set, a plain table is printed at each interval, until the output is closed. Changes nothing."
    },
    footer = {
      "",
      "Columns:",
      "  queues     calm while reads hardly wait: requests are left to stock;",
      "             waiting while they do: requests are planned;",
      "             none if they are planned nevertheless (calm-after 0s)",
      "  calm/s     requests left to stock for that reason",
      "  planned/s  requests planned",
      "  unpaged/s  multigets read in parallel that stock would have paged",
      "  P99 ms     of the interval's requests while reads waited, on or off; with a",
      "             canary of some tables only of these, which the title names",
      "  queued/s   reads that had to wait for a read thread",
      "  select     reads that went (in shadow: would go) to other replicas",
      "  order      dispatches of a read other than the oldest",
      "  faults     exceptions in Manx's code since the node started",
      "",
      "Exit codes: 0 success, 1 no node answered, 2 bad usage.",
      "",
      "Examples:",
      "  ./manx top --on production",
      "  ./manx top --on production --dc dc1 --interval 5s",
      "  ./manx top --on production --once --json | jq '.nodes[] | {node, mode}'"
    })
public final class TopCommand extends OnCluster {
  private static final long HOUR_SECONDS = 3_600;
  private static final long CONNECTING_NANOS = TimeUnit.SECONDS.toNanos(10);

  @Option(
      names = "--interval",
      paramLabel = "TIME",
      defaultValue = "2s",
      description = "Between two samples, 1s to 1h (default: ${DEFAULT-VALUE}).")
  private String interval;

  @Option(names = "--once", description = "One interval only.")
  private boolean once;

  @Option(names = "--json", description = "One JSON object per interval and line.")
  private boolean json;

  private long intervalNanos;

  @Override
  protected void prepare() {
    intervalNanos = ClusterOptions.duration("--interval", interval, 1, HOUR_SECONDS);
  }

  @Override
  protected int on(Cluster opened, List<Member> nodes) throws InterruptedException {
    boolean live = Screen.isLive() && !once && !json;
    TerminalSize size = Screen.size();
    Looks looks = new Looks(opened, nodes);
    // The first sample connects.
    List<Look> before = looks.look(Math.max(intervalNanos, CONNECTING_NANOS));
    int answered;
    do {
      TimeUnit.NANOSECONDS.sleep(intervalNanos);
      // The next sample includes late answers, and waits for missing ones.
      List<Look> now = looks.look(once ? Math.max(intervalNanos, CONNECTING_NANOS) : intervalNanos);
      List<NodeRates> rates = new ArrayList<>();
      for (int i = 0; i < now.size(); i++) {
        rates.add(NodeRates.between(before.get(i), now.get(i)));
      }
      say(json ? TopText.json(time(), rates) : (live ? fitting(size, rates) : plain(rates)));
      answered = (int) now.stream().filter(look -> look.node().isPresent()).count();
      before = now;
    } while (!once && !out().checkError());
    return answered > 0 ? 0 : 1;
  }

  private String fitting(TerminalSize size, List<NodeRates> rates) {
    return Screen.CLEAR + TopText.fitting(title(), rates, size.rows(), size.columns());
  }

  private String plain(List<NodeRates> rates) {
    return TopText.table(title(), rates) + (once ? "" : "\n");
  }

  private String title() {
    return clusterName()
        + " at "
        + LocalTime.now().truncatedTo(ChronoUnit.SECONDS)
        + ", each "
        + interval;
  }

  private static String time() {
    return Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
