/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.connect.OnCluster;
import dev.manx.operate.log.LogFetcher;
import dev.manx.policy.config.Units;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code manx ctl fetch-log}. */
@Command(
    name = "fetch-log",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Fetches the decision logs of nodes to this machine, over CQL.",
      "Each log becomes one file; ./manx replay and ./manx advise read them. Nothing is fetched if a node is still recording, has no log, or cannot be reached. Changes nothing on the nodes."
    },
    footer = {
      "",
      "Exit codes: 0 all fetched, 1 not, 2 bad usage.",
      "",
      "Example:",
      "  ./manx ctl fetch-log --to logs --on production"
    })
final class FetchLogCommand extends OnCluster {
  @Option(
      names = "--to",
      paramLabel = "DIR",
      required = true,
      description = "The folder for the logs; existing files are replaced.")
  private Path folder;

  @Override
  protected int on(Cluster opened, List<Member> nodes) {
    for (LogFetcher.Fetched log : new LogFetcher(opened, folder).fetch(nodes)) {
      say(line(log));
    }
    return 0;
  }

  private static String line(LogFetcher.Fetched log) {
    return log.node()
        + ": "
        + Units.bytes(log.bytes())
        + " in "
        + log.file()
        + (log.whole() ? "" : "; truncated, as after a crash or a full disk");
  }
}
