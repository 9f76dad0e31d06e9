/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.canary.Evidence;
import dev.manx.operate.connect.OnCluster;
import dev.manx.operate.look.NodeState;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code manx ctl status}. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Shows Manx's state on each node, and differences between nodes.",
      "Mode, strategy, version, breaker, hooks, queues and decision log; then differences, errors, and the results of a canary."
    },
    footer = {
      "",
      "Exit codes: 0 Manx answers on all nodes, 1 on some not, 2 bad usage.",
      "Recommended actions: ./manx check",
      "",
      "Examples:",
      "  ./manx ctl status --on production",
      "  ./manx ctl status --on production --json | jq '.[] | {node, mode}'"
    })
final class StatusCommand extends OnCluster {
  @Option(names = "--json", description = "All rows of all nodes as JSON.")
  private boolean json;

  @Override
  protected int on(Cluster opened, List<Member> nodes) {
    List<NodeState> states = opened.ask(nodes, NodeState::read);
    List<String> evidence = json ? List.of() : Evidence.of(opened, nodes, states, false);
    say(json ? StatusText.json(states) : StatusText.table(states, evidence));
    return states.stream().allMatch(NodeState::isPresent) ? 0 : 1;
  }
}
