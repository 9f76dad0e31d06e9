/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.operate.canary.CanaryChoice;
import dev.manx.operate.look.NodeState;
import dev.manx.operate.look.NodeState.Hook;
import dev.manx.operate.look.OwnVersion;
import dev.manx.operate.look.StrategyNames;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Checks that Manx is healthy on each node, and equal on all. */
final class ManxChecks {
  private ManxChecks() {}

  /**
   * @param nodes nodes on which Manx answers
   */
  static void look(ByNode nodes, Findings found) {
    version(nodes, found);
    alike(nodes, "mode", NodeState::mode, "Expected while you try it on some nodes first.", found);
    strategies(nodes, found);
    calmAfter(nodes, found);
    canary(nodes, found);
    persisted(nodes, found);
    trouble(nodes, found);
    hooks(nodes, found);
    CounterChecks.look(nodes, found);
  }

  private static void version(ByNode nodes, Findings found) {
    String own = OwnVersion.text();
    Map<String, ByNode> versions = nodes.by(node -> node.state().version());
    versions.forEach((version, some) -> found.ok(some.names(), "Manx " + version));
    if (versions.size() > 1) {
      found.warning(
          "cluster",
          "nodes run different versions of Manx",
          "Safe: a node ignores data of another version that it cannot read. Finish the upgrade for"
              + " the full effect.");
    }
    if (!own.equals("unpackaged") && versions.keySet().stream().anyMatch(one -> !one.equals(own))) {
      found.warning("this command", "version " + own, "Use the version that the nodes run.");
    }
  }

  private static void alike(
      ByNode nodes, String what, Function<NodeState, String> of, String todo, Findings found) {
    Map<String, ByNode> values = nodes.by(node -> of.apply(node.state()));
    if (values.size() == 1) {
      values.forEach((value, some) -> found.ok(some.names(), what + " " + value));
      return;
    }
    found.warning(
        "cluster",
        "nodes differ in "
            + what
            + ": "
            + values.entrySet().stream()
                .map(one -> one.getKey() + " on " + one.getValue().names())
                .collect(Collectors.joining("; ")),
        todo);
  }

  /** Documents contain all defaults, so only those of one version can be compared. */
  private static void strategies(ByNode nodes, Findings found) {
    Map<String, ByNode> versions = nodes.by(node -> node.state().version());
    alike(
        nodes,
        "strategy",
        versions.size() > 1 ? StrategyNames::policies : StrategyNames::of,
        "Use one for all: ./manx ctl strategy NAME|FILE",
        found);
    versions.values().forEach(some -> documents(some, found));
  }

  /** Strategies with the same policies may have different settings. */
  private static void documents(ByNode nodes, Findings found) {
    nodes
        .by(node -> StrategyNames.of(node.state()))
        .forEach(
            (name, some) -> {
              if (some.by(node -> node.state().row("document")).size() > 1) {
                found.warning(
                    some.names(),
                    "the same policies with different settings",
                    "Compare the rows `document`: ./manx ctl status --json");
              }
            });
  }

  private static void calmAfter(ByNode nodes, Findings found) {
    ByNode never = nodes.where(node -> node.state().isNeverCalm());
    if (!never.isEmpty()) {
      found.warning(
          never.names(),
          "calm-after 0s: every request is planned, also while no read waits",
          "Expected while ./manx advise --record runs; if that was killed, set the value of manx.yaml"
              + " again: ./manx ctl calm-after 250ms");
    }
    ByNode others =
        nodes.where(
            node -> !node.state().isNeverCalm() && !node.state().row("calm-after").isEmpty());
    if (others.by(node -> node.state().row("calm-after")).size() > 1) {
      alike(
          others,
          "calm-after",
          state -> state.row("calm-after"),
          "Use one for all: ./manx ctl calm-after TIME",
          found);
    }
  }

  private static void canary(ByNode nodes, Findings found) {
    ByNode acting =
        nodes.where(
            node -> node.state().mode().equals("on") && !node.state().row("canary").isEmpty());
    Function<NodeState, String> shown = state -> CanaryChoice.words(state.row("canary"));
    if (acting.by(node -> shown.apply(node.state())).size() > 1) {
      alike(
          acting,
          "canary",
          shown,
          "A restart ends a canary that was not persisted. Use one for all: ./manx ctl canary set",
          found);
    }
    nodes
        .where(node -> node.state().isCanary())
        .by(node -> node.state().row("canary"))
        .forEach(
            (canary, some) ->
                found.warning(
                    some.names(),
                    "Manx acts on only a part of the requests: canary " + canary,
                    "Expected while you compare: ./manx ctl canary show. To act on all:"
                        + " ./manx ctl canary end"));
  }

  private static void persisted(ByNode nodes, Findings found) {
    nodes
        .where(node -> !node.state().row("persisted").isEmpty())
        .by(node -> node.state().row("persisted"))
        .forEach(
            (words, some) -> {
              if (words.startsWith("ignored: ")) {
                found.error(
                    some.names(),
                    "the persisted settings could not be used, and are " + words,
                    "The node used only its manx.yaml. Switch as needed, then: ./manx ctl"
                        + " reset-persisted, and --persist again.");
              } else {
                found.ok(some.names(), "persisted: " + words);
              }
            });
  }

  private static void trouble(ByNode nodes, Findings found) {
    ByNode opened = nodes.where(node -> !node.state().isBreakerClosed());
    opened
        .where(ManxChecks::isHalfOpen)
        .by(node -> node.state().row("breaker"))
        .forEach(
            (breaker, some) ->
                found.warning(
                    some.names(),
                    "Manx is trying again after it switched itself off; breaker " + breaker,
                    "The log system.log has the cause. Repeat the check in a minute."));
    opened
        .where(node -> !isHalfOpen(node))
        .by(node -> node.state().row("breaker"))
        .forEach(
            (breaker, some) ->
                some.by(node -> node.state().row("interrupted"))
                    .forEach(
                        (mode, same) ->
                            found.error(
                                same.names(),
                                "Manx has switched itself off; breaker " + breaker,
                                "The log system.log has the cause. "
                                    + wayBack(same, breaker, mode))));
    ByNode troubled =
        nodes.where(
            node -> node.state().isBreakerClosed() && !node.state().row("trouble").isEmpty());
    troubled
        .where(ManxChecks::isOff)
        .by(node -> node.state().row("trouble"))
        .forEach(
            (trouble, some) ->
                found.error(some.names(), "Manx is off: " + trouble, remedy(some, trouble)));
    troubled
        .where(node -> !isOff(node))
        .by(node -> node.state().row("trouble"))
        .forEach(
            (trouble, some) ->
                found.warning(
                    some.names(),
                    trouble,
                    "Manx is not off there. To set another strategy: ./manx ctl strategy"
                        + " NAME|FILE"));
    if (nodes.where(node -> !node.state().row("trouble").isEmpty()).isEmpty()
        && nodes.where(node -> !node.state().isBreakerClosed()).isEmpty()) {
      found.ok(nodes.names(), "breaker closed");
    }
  }

  private static boolean isOff(AskedNode node) {
    return node.state().mode().equals("off");
  }

  private static boolean isHalfOpen(AskedNode node) {
    return node.state().breaker().equals("half-open");
  }

  /**
   * How nodes return to the mode that their breaker has ended.
   *
   * @param mode that mode; empty if unknown, as of an earlier version
   */
  private static String wayBack(ByNode nodes, String breaker, String mode) {
    if (breaker.startsWith("open, tries again")) {
      return "Manx tries again by itself, in its former mode"
          + (mode.isEmpty() ? "." : ", " + mode + ".");
    }
    return "To switch it on again: "
        + (mode.isEmpty()
            ? "./manx ctl mode MODE " + nodes.option() + " (MODE as before: shadow or on)"
            : "./manx ctl mode " + mode + " " + nodes.option());
  }

  private static String remedy(ByNode nodes, String trouble) {
    if (trouble.startsWith("the kill file ") && trouble.contains(", and is gone")) {
      return "To use Manx again: ./manx ctl mode MODE " + nodes.option();
    }
    return trouble.startsWith("the kill file ")
        ? "An operator switched Manx off with it. To use Manx again, remove the file on the"
            + " node, and switch Manx on with ./manx ctl mode."
        : "Correct manx.yaml (./manx check --home on the node) and reload it (./manx ctl reload),"
            + " or set a strategy and a mode with ./manx ctl.";
  }

  private static void hooks(ByNode nodes, Findings found) {
    ByNode failing = nodes.where(node -> count(node, "failed") > 0);
    failing
        .by(
            node ->
                node.state().hooks().entrySet().stream()
                    .filter(hook -> hook.getValue().state().equals("failed"))
                    .map(hook -> hook.getKey() + " (" + hook.getValue().detail() + ")")
                    .collect(Collectors.joining(", ")))
        .forEach(
            (hooks, some) ->
                found.error(
                    some.names(),
                    "hooks that do not fit this Cassandra: " + hooks,
                    "These stay stock; the others work. docs/operate/install.md names the tested"
                        + " versions of Cassandra."));
    nodes
        .where(node -> count(node, "failed") == 0)
        .by(node -> count(node, "installed") + " of " + node.state().hooks().size())
        .forEach((count, some) -> found.ok(some.names(), "hooks installed: " + count));
  }

  private static long count(AskedNode node, String state) {
    return node.state().hooks().values().stream().map(Hook::state).filter(state::equals).count();
  }
}
