/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.check;

import dev.manx.load.connect.Member;
import dev.manx.load.connect.NodeException;
import dev.manx.operate.look.NodeState;
import java.util.List;
import java.util.Map;

/**
 * A node as the checks need it. Texts are empty where the user may not see them.
 *
 * @param state what it says of Manx
 * @param cassandra its version
 * @param java the version of its Java
 * @param handler the query handler that its JVM option names
 * @param maySwitch whether this user may switch Manx there
 */
record AskedNode(
    NodeState state, String cassandra, String java, String handler, boolean maySwitch) {
  // No row of this name can be set, so that asking changes nothing.
  private static final String PROBE =
      "UPDATE manx.strategy SET value = '' WHERE name = 'may-this-user-switch'";

  static AskedNode ask(Member member) {
    NodeState state = NodeState.read(member);
    if (state.manx() == NodeState.Manx.UNREACHABLE) {
      return new AskedNode(state, "", "", "", false);
    }
    return new AskedNode(
        state,
        value(member, "SELECT release_version AS value FROM system.local"),
        property(member, "java.version"),
        property(member, "cassandra.custom_query_handler_class"),
        maySwitch(member));
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

  private static boolean maySwitch(Member member) {
    try {
      member.execute(PROBE);
      return true;
    } catch (NodeException e) {
      return e.kind() == NodeException.Kind.REFUSED;
    }
  }
}
