/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.connect.OnCluster;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.text.Words;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code manx ctl reload}. */
@Command(
    name = "reload",
    mixinStandardHelpOptions = true,
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Makes each node read its manx.yaml again.",
      "All nodes check their files first, and none is reloaded if one is invalid. Afterwards a node is as after a restart: settings that were switched but not persisted are as in the file. If mode, canary or strategy would change, nothing is done without --all-settings. Each answer names the changes, and the settings that need a restart. A node that is off stays off."
    },
    footer = {
      "",
      "Exit codes: 0 all nodes did, 1 some not, 2 bad usage.",
      "",
      "Examples:",
      "  ./manx ctl reload --dry-run --on production",
      "  ./manx ctl reload --on production"
    })
final class ReloadCommand extends OnCluster {
  @Option(
      names = "--dry-run",
      description = "Only check the files, and show the changes; same exit code as the reload.")
  private boolean dryRun;

  @Option(names = "--some", description = "Reload the nodes that can even if others cannot.")
  private boolean some;

  @Option(
      names = "--all-settings",
      description = "Also take differing modes, canaries and strategies from the files.")
  private boolean allSettings;

  /** A node's answer, or the reason why it is missing. */
  private record Said(Member member, String text, boolean done) {}

  @Override
  protected int on(Cluster opened, List<Member> nodes) {
    List<Said> checked = opened.ask(nodes, member -> ask(member, "check"));
    boolean blocked = checked.stream().anyMatch(one -> !one.done());
    String back = allSettings ? "" : takenBack(checked);
    if (dryRun || blocked && !some || !back.isEmpty()) {
      say(text(checked));
      say(
          blocked
              ? "reload: nothing was changed; "
                  + count(checked, one -> !one.done())
                  + " cannot reload."
              : "reload: nothing was changed; all can reload" + (back.isEmpty() ? "." : ", but:"));
      if (!back.isEmpty()) {
        say(
            "The files would revert settings switched on the running nodes: "
                + back
                + ". To keep them, put them into manx.yaml, or persist them"
                + " (docs/operate/configuration.md). To use the files unchanged, add --all-settings.");
      }
      return blocked || !back.isEmpty() ? 1 : 0;
    }
    List<Said> did =
        changing(
            () ->
                opened.ask(
                    nodes,
                    member -> {
                      Said one = checked.get(nodes.indexOf(member));
                      return one.done() ? ask(member, "now") : one;
                    }));
    say(text(did));
    boolean all = did.stream().allMatch(Said::done);
    say(
        all
            ? "reload: done on " + Words.of(names(did), did.size()) + "."
            : "reload: done on "
                + count(did, Said::done)
                + ", NOT on "
                + count(did, one -> !one.done())
                + ".");
    return all ? 0 : 1;
  }

  private static Said ask(Member member, String value) {
    NodeState before = NodeState.read(member);
    if (!before.isPresent()) {
      return new Said(member, before.why(), false);
    }
    if (!before.strategy().containsKey("reload-at")) {
      return new Said(
          member,
          "its Manx, version " + before.version() + ", cannot reload: upgrade or restart it",
          false);
    }
    try {
      member.execute("UPDATE manx.strategy SET value = ? WHERE name = 'reload'", value);
    } catch (NodeException e) {
      if (e.kind() != NodeException.Kind.UNANSWERED) {
        return new Said(member, "REFUSED: " + e.getMessage(), false);
      }
      // It may have reloaded: its answer is read back.
    }
    NodeState after = NodeState.read(member);
    boolean done = after.isPresent() && !after.row("reload-at").equals(before.row("reload-at"));
    String why = after.isPresent() ? "no answer in time" : "it cannot be read back: " + after.why();
    return new Said(member, done ? after.row("reload") : "NOT VERIFIED: " + why, done);
  }

  /** The settings that the files revert, with nodes; empty if none. */
  private static String takenBack(List<Said> checked) {
    Map<String, List<String>> nodes = new LinkedHashMap<>();
    checked.stream()
        .filter(Said::done)
        .forEach(
            one ->
                TakenBack.in(one.text())
                    .forEach(
                        what ->
                            nodes
                                .computeIfAbsent(what, any -> new ArrayList<>())
                                .add(one.member().address().brief())));
    return nodes.entrySet().stream()
        .map(one -> one.getKey() + " on " + Words.of(one.getValue(), checked.size()))
        .collect(Collectors.joining("; "));
  }

  /** Nodes with the same answer share a line. */
  private static String text(List<Said> all) {
    Map<String, List<Said>> same = new LinkedHashMap<>();
    all.forEach(one -> same.computeIfAbsent(one.text(), text -> new ArrayList<>()).add(one));
    List<String> lines = new ArrayList<>();
    same.forEach(
        (text, some) -> lines.add(Words.of(names(some), all.size()) + ": " + Words.line(text)));
    return String.join("\n", lines);
  }

  private static List<String> names(List<Said> some) {
    return some.stream().map(one -> one.member().address().brief()).toList();
  }

  private static String count(List<Said> all, Predicate<Said> which) {
    return Words.nodes((int) all.stream().filter(which).count());
  }
}
