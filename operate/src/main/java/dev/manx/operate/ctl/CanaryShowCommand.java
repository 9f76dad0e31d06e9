/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.canary.CanaryChoice;
import dev.manx.operate.canary.Evidence;
import dev.manx.operate.connect.OnCluster;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.text.TextTable;
import dev.manx.operate.text.Words;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code manx ctl canary show}. */
@Command(
    name = "show",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Shows the canary of each node, and its results so far.",
      "The latencies of all nodes with the same canary are merged, for all of its tables and for each. Only requests at times when reads waited somewhere are compared, because Manx changes nothing at other times."
    },
    footer = {
      "",
      "Exit codes: 0 Manx answers on all nodes, 1 on some not, 2 bad usage.",
      "",
      "Example:",
      "  ./manx ctl canary show --on production"
    })
final class CanaryShowCommand extends OnCluster {
  @Override
  protected int on(Cluster opened, List<Member> nodes) {
    List<NodeState> states = opened.ask(nodes, NodeState::read);
    TextTable table = new TextTable("node", "datacenter", "mode", "canary");
    List<String> notes = new ArrayList<>();
    for (NodeState state : states) {
      String mode = state.isPresent() ? state.mode() : "-";
      table.row(state.node(), state.datacenter(), mode, CanaryChoice.words(state.row("canary")));
      if (!state.isPresent()) {
        notes.add(state.node() + ": " + Words.line(state.why()));
      }
    }
    notes.addAll(Evidence.of(opened, nodes, states, true));
    say(notes.isEmpty() ? table.toString() : table + "\n\n" + String.join("\n", notes));
    return states.stream().allMatch(NodeState::isPresent) ? 0 : 1;
  }
}
