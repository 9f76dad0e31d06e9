/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.NodeUnavailableException;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.metadata.Node;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs statements on one given node: virtual tables are local to each node. Blocking; any thread.
 */
public final class NodeAdmin {
  private static final long RECONNECT_NANOS = 15_000_000_000L;

  /** The longest time until a statement ends: it waits for a connection, and then for an answer. */
  static final long LONGEST_NANOS = RECONNECT_NANOS + DriverConfig.PATIENCE.toNanos();

  private static final long RECONNECT_STEP_NANOS = 200_000_000L;

  private final CassandraSession session;

  /** Uses a session, which must know the nodes. */
  public NodeAdmin(CassandraSession session) {
    this.session = session;
  }

  /** All nodes, in the order of their addresses. */
  public List<Node> nodes() {
    return session.nodes();
  }

  /** The node with an address, with any port. */
  public Node node(InetAddress address) {
    for (Node node : session.nodes()) {
      SocketAddress endPoint = node.getEndPoint().resolve();
      if (endPoint instanceof InetSocketAddress socket && address.equals(socket.getAddress())) {
        return node;
      }
    }
    throw new IllegalArgumentException(
        "no node has the address " + address.getHostAddress() + "; known are " + session.nodes());
  }

  /** Runs a statement on that node and nowhere else. */
  public void execute(Node node, String cql, Object... values) {
    run(node, cql, values);
  }

  /** All rows of a query on that node, as maps from column names to values (null for no value). */
  public List<Map<String, Object>> rows(Node node, String cql, Object... values) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Row row : run(node, cql, values)) {
      Map<String, Object> map = new LinkedHashMap<>();
      ColumnDefinitions columns = row.getColumnDefinitions();
      for (int i = 0; i < columns.size(); i++) {
        map.put(columns.get(i).getName().asInternal(), row.getObject(i));
      }
      rows.add(map);
    }
    return rows;
  }

  /** Waits for a node that was too busy to keep its connection alive. */
  private ResultSet run(Node node, String cql, Object... values) {
    SimpleStatement statement =
        SimpleStatement.newInstance(cql, values)
            .setNode(node)
            .setExecutionProfileName(DriverConfig.PATIENT);
    for (long waited = 0; ; waited += RECONNECT_STEP_NANOS) {
      try {
        return session.driver().execute(statement);
      } catch (AllNodesFailedException e) {
        boolean cutOff =
            e.getAllErrors().values().stream()
                .flatMap(List::stream)
                .allMatch(NodeUnavailableException.class::isInstance);
        if (!cutOff || waited >= RECONNECT_NANOS) {
          throw e;
        }
        LockSupport.parkNanos(RECONNECT_STEP_NANOS);
      }
    }
  }
}
