/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import java.util.List;

/** Counters that should not grow. */
final class CounterChecks {
  private record Rule(String counter, String words, String todo) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              "faults",
              "exceptions in Manx's code; each request got the stock decision",
              "Search system.log for `Manx failed in`, and report these lines."),
          new Rule(
              "policies_stuck",
              "calls of a policy did not return; it was switched off",
              "Use another strategy: ./manx ctl strategy NAME"),
          new Rule(
              "select_mended",
              "invalid rankings of replicas; each read got the stock order",
              "Correct the selector, or use another strategy."),
          new Rule(
              "tags_ignored",
              "tags of another version or unit were ignored",
              "Run the same version and strategy on all nodes."),
          new Rule(
              "tickets_overflowed",
              "reads were not counted because the table of outstanding reads was full",
              "Raise plugin.outstanding in manx.yaml."),
          new Rule(
              "record_failures",
              "failed writes of the decision log",
              "Check the row `record` and the disk."));

  private CounterChecks() {}

  static void look(ByNode nodes, Findings found) {
    boolean clean = true;
    for (Rule rule : RULES) {
      ByNode some = nodes.where(node -> node.state().counter(rule.counter()) > 0);
      if (!some.isEmpty()) {
        clean = false;
        String counts =
            String.join(", ", some.by(node -> node.state().counter(rule.counter()) + "").keySet());
        found.warning(
            some.names(),
            rule.counter() + " " + counts + ": " + rule.words() + ", since the node started",
            rule.todo());
      }
    }
    if (clean) {
      found.ok(nodes.names(), "no faults since the start");
    }
  }
}
