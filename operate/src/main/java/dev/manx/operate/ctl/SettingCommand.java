/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.ctl;

import dev.manx.load.connect.Cluster;
import dev.manx.load.connect.Member;
import dev.manx.operate.connect.OnCluster;
import java.util.List;
import picocli.CommandLine.Option;

/** A command that changes one setting on nodes. */
abstract class SettingCommand extends OnCluster {
  @Option(
      names = "--some",
      description = "Change the nodes that can be changed even if others cannot.")
  private boolean some;

  /** The requested change, such as {@code mode on}. */
  abstract String what();

  /** The change. */
  abstract Change change();

  /**
   * Rejects requests that contradict the cluster's data, before any change.
   *
   * @param nodes the chosen nodes
   * @throws dev.manx.policy.config.ConfigException if it rejects the request
   */
  void look(Cluster opened, List<Member> nodes) {}

  /**
   * Prints hints after the change.
   *
   * @param set outcomes on nodes that run as requested, persisted or not
   */
  void hint(Change change, List<ChangeOutcome> set) {}

  @Override
  protected final int on(Cluster opened, List<Member> nodes) {
    look(opened, nodes);
    Change change = change();
    return report(change, changing(() -> outcomes(opened, nodes, change)));
  }

  private List<ChangeOutcome> outcomes(Cluster opened, List<Member> nodes, Change change) {
    try (Awaited awaited = new Awaited(this::warn)) {
      awaited.begin();
      return new Switcher(opened, nodes, awaited).set(change, some);
    }
  }

  /** Prints the outcomes; returns the exit code. */
  final int report(Change change, List<ChangeOutcome> outcomes) {
    say(OutcomeText.of(what(), change, outcomes));
    List<ChangeOutcome> set = outcomes.stream().filter(ChangeOutcome::isSet).toList();
    if (!set.isEmpty()) {
      hint(change, set);
      CanaryHints.of(change, set).forEach(this::say);
    }
    return outcomes.stream().allMatch(ChangeOutcome::isDone) ? 0 : 1;
  }
}
