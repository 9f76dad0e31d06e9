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
              "throwables of Manx's own code; each request got stock's decision",
              "grep Manx in system.log, and report it."),
          new Rule(
              "policies_stuck",
              "policies did not return from a call and were switched off",
              "Take another strategy: ./manx ctl strategy NAME"),
          new Rule(
              "select_mended",
              "rankings of replicas were wrong; each read got stock's order",
              "Mend the selector, or take another strategy."),
          new Rule(
              "tags_ignored",
              "tags of another version or unit were left out",
              "Run the same version and strategy on all nodes."),
          new Rule(
              "tickets_overflowed",
              "reads were not counted because the table of outstanding reads was full",
              "Raise plugin.outstanding in manx.yaml."),
          new Rule(
              "record_failures",
              "times the decision log could not be written",
              "Look at the row `record` and at the disk."));

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
