/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.look.NodeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A node's data for the checks. Texts are empty if the user may not read them.
 *
 * @param state Manx's state on the node
 * @param cassandra its version
 * @param java its Java version
 * @param handler the query handler named by its JVM option
 * @param right whether this user may switch Manx there
 * @param hidden tables that this user may not read although Manx answers
 */
record AskedNode(
    NodeState state,
    String cassandra,
    String java,
    String handler,
    Right right,
    List<OtherTable> hidden) {
  // This row does not exist and cannot be set, so the statement changes nothing.
  private static final String PROBE =
      "UPDATE manx.strategy SET value = '' WHERE name = 'may-this-user-switch'";

  /** Whether this user may switch Manx. */
  enum Right {
    /** The user may. */
    GIVEN,
    /** The user lacks the permission. */
    MISSING,
    /** The node did not say. */
    UNKNOWN
  }

  static AskedNode ask(Member member) {
    NodeState state = NodeState.read(member);
    if (state.manx() == NodeState.Manx.UNREACHABLE) {
      return new AskedNode(state, "", "", "", Right.UNKNOWN, List.of());
    }
    return new AskedNode(
        state,
        value(member, "SELECT release_version AS value FROM system.local"),
        property(member, "java.version"),
        property(member, "cassandra.custom_query_handler_class"),
        right(() -> member.execute(PROBE)),
        state.isPresent() ? hidden(member::rows) : List.of());
  }

  String name() {
    return state.node();
  }

  private static String property(Member member, String name) {
    return value(member, "SELECT value FROM system_views.system_properties WHERE name = ?", name);
  }

  private static String value(Member member, String cql, Object... values) {
    try {
      List<Map<String, Object>> rows = member.rows(cql, values);
      Object value = rows.isEmpty() ? null : rows.get(0).get("value");
      return value == null ? "" : value.toString();
    } catch (NodeException e) {
      return "";
    }
  }

  /** An earlier version may lack a table; that is no lack of a permission. */
  static List<OtherTable> hidden(NodeState.Question node) {
    List<OtherTable> hidden = new ArrayList<>();
    for (OtherTable table : OtherTable.values()) {
      try {
        node.rows(table.probe());
      } catch (NodeException e) {
        if (e.kind() == NodeException.Kind.FORBIDDEN) {
          hidden.add(table);
        }
      }
    }
    return hidden;
  }

  /**
   * Asks a node for the right.
   *
   * @param probe tries to set a row that does not exist
   */
  static Right right(Runnable probe) {
    try {
      probe.run();
      return Right.GIVEN;
    } catch (NodeException e) {
      return switch (e.kind()) {
        case REFUSED -> Right.GIVEN;
        case FORBIDDEN -> Right.MISSING;
        case UNREACHABLE, UNANSWERED, ABSENT -> Right.UNKNOWN;
      };
    }
  }
}
