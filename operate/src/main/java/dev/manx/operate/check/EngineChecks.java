/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.operate.look.NodeState.Manx;
import java.util.Map;

/** Checks that the nodes' versions are supported. */
final class EngineChecks {
  static final String HANDLER = "dev.manx.cassandra.ManxQueryHandler";
  static final String HANDLER_OPTION = "cassandra.custom_query_handler_class";
  static final String NEXT_OPTION = "manx.next_query_handler_class";

  /** How to use a site's own query handler and Manx. */
  static final String BOTH_HANDLERS =
      "Name Manx ("
          + HANDLER
          + ") in -D"
          + HANDLER_OPTION
          + " and yours in -D"
          + NEXT_OPTION
          + ": Manx passes every statement on to it. Name yours alone for a node without Manx's jar."
          + " See docs/operate/install.md, Another query handler.";

  private EngineChecks() {}

  static void look(ByNode nodes, Findings found) {
    nodes
        .where(node -> node.state().manx() == Manx.UNREACHABLE)
        .by(node -> node.state().why())
        .forEach(
            (why, some) ->
                found.error(
                    some.names(),
                    why,
                    "No other check is possible; repeat it when the node is up."));
    ByNode reached = nodes.where(node -> node.state().manx() != Manx.UNREACHABLE);
    cassandra(reached, found);
    java(reached, found);
    ByNode absent = reached.where(node -> node.state().manx() == Manx.ABSENT);
    handler(absent.where(node -> !node.java().isEmpty()), found);
    unknown(absent.where(node -> node.java().isEmpty()), found);
  }

  private static void cassandra(ByNode nodes, Findings found) {
    Map<String, ByNode> versions = nodes.by(AskedNode::cassandra);
    versions.forEach(
        (version, some) -> {
          if (version.isEmpty()) {
            found.warning(
                some.names(),
                "the node did not report its version of Cassandra",
                "Repeat the check; Manx requires 5.0.");
          } else if (version.startsWith("5.0.") || version.equals("5.0")) {
            found.ok(some.names(), "Cassandra " + version);
          } else {
            found.error(
                some.names(),
                "Cassandra " + version + "; Manx requires 5.0",
                "Manx steps aside there; the node works as stock.");
          }
        });
    if (versions.keySet().stream().filter(version -> !version.isEmpty()).count() > 1) {
      found.warning(
          "cluster",
          "nodes run different versions of Cassandra",
          "Finish the upgrade before you measure Manx's effect.");
    }
  }

  private static void java(ByNode nodes, Findings found) {
    nodes
        .by(AskedNode::java)
        .forEach(
            (version, some) -> {
              if (version.isEmpty()) {
                found.warning(
                    some.names(),
                    "this user may not read the node's Java version",
                    "GRANT SELECT ON TABLE system_views.system_properties TO the user");
              } else if (version.matches("17(\\..*)?")) {
                found.ok(some.names(), "Java " + version);
              } else if (JavaProbe.isLater(version)) {
                found.warning(
                    some.names(),
                    "Java " + version + "; Cassandra 5.0 supports Java up to 17",
                    "Manx runs but is not tested there; start the node on Java 17.");
              } else {
                found.error(
                    some.names(),
                    "Java " + version + "; Manx requires 17",
                    "Manx steps aside there; start the node on Java 17.");
              }
            });
  }

  /** A user who may not read the Java version may not read the JVM option either. */
  private static void unknown(ByNode without, Findings found) {
    if (!without.isEmpty()) {
      found.error(
          without.names(),
          "Manx does not answer, and this user may not read whether the JVM option names it",
          "GRANT SELECT ON TABLE system_views.system_properties TO the user, and check again.");
    }
  }

  private static void handler(ByNode without, Findings found) {
    without
        .by(AskedNode::handler)
        .forEach(
            (handler, some) -> {
              if (handler.isEmpty()) {
                found.error(
                    some.names(),
                    "Manx is not installed",
                    "Install it (docs/operate/install.md) and restart the node, or leave the node as it is:"
                        + " a mixed cluster is safe.");
              } else if (handler.equals(HANDLER)) {
                found.error(
                    some.names(),
                    "the JVM option names Manx, but Manx does not answer",
                    "The node is still starting, or Manx stepped aside: grep Manx in its"
                        + " system.log.");
              } else {
                found.error(
                    some.names(), "another query handler is in use: " + handler, BOTH_HANDLERS);
              }
            });
  }
}
