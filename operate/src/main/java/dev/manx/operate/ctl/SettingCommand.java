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

  /** Prints hints after the change. */
  void hint(Change change, List<ChangeOutcome> done) {}

  @Override
  protected final int on(Cluster opened, List<Member> nodes) {
    look(opened, nodes);
    Change change = change();
    List<ChangeOutcome> outcomes = new Switcher(opened, nodes).set(change, some);
    say(OutcomeText.of(what(), change, outcomes));
    List<ChangeOutcome> done = outcomes.stream().filter(ChangeOutcome::isDone).toList();
    if (!done.isEmpty()) {
      hint(change, done);
      CanaryHints.of(change, done).forEach(this::say);
    }
    return done.size() == outcomes.size() ? 0 : 1;
  }
}
