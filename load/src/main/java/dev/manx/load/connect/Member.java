/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.cql.ColumnDefinitions;
import com.datastax.oss.driver.api.core.cql.ResultSet;
import com.datastax.oss.driver.api.core.cql.Row;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One node of a cluster and a session with it alone: virtual tables are local to each node. The
 * session is opened by the first query, and again after a failure. Blocking; any thread, one at a
 * time.
 */
public final class Member implements AutoCloseable {
  private final InetSocketAddress endPoint;
  private final ConnectSettings settings;
  private final TlsEngines tls;
  private final String datacenter;
  private final HostPort peer;
  private CqlSession session;

  /**
   * @param peer its address for other nodes; null if unknown
   */
  Member(
      InetSocketAddress endPoint,
      InetSocketAddress peer,
      ConnectSettings settings,
      TlsEngines tls,
      String datacenter) {
    this.endPoint = endPoint;
    this.settings = settings;
    this.tls = tls;
    this.datacenter = datacenter;
    this.peer = HostPort.of(peer == null ? endPoint : peer);
  }

  /** Its CQL address. */
  public HostPort address() {
    return HostPort.of(endPoint);
  }

  /**
   * Its address and port for other nodes, {@code broadcast_address} and {@code storage_port}, as in
   * {@code manx.replicas}: {@code host:port} or {@code [v6]:port}. Clients may use another.
   */
  public String peerAddress() {
    return peer.toString();
  }

  /** Its datacenter. */
  public String datacenter() {
    return datacenter;
  }

  /**
   * All rows of a query on this node, as maps from column names to values (null for no value).
   *
   * @throws NodeException if there is no answer, or an error
   */
  public List<Map<String, Object>> rows(String cql, Object... values) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Row row : run(cql, values)) {
      Map<String, Object> map = new LinkedHashMap<>();
      ColumnDefinitions columns = row.getColumnDefinitions();
      for (int i = 0; i < columns.size(); i++) {
        map.put(columns.get(i).getName().asInternal(), row.getObject(i));
      }
      rows.add(map);
    }
    return rows;
  }

  /**
   * Runs a statement on this node.
   *
   * @throws NodeException if there is no answer, or an error
   */
  public void execute(String cql, Object... values) {
    run(cql, values);
  }

  /** Whether a session with this node is open. */
  public synchronized boolean isConnected() {
    return session != null;
  }

  private ResultSet run(String cql, Object... values) {
    try {
      return open().execute(SimpleStatement.newInstance(cql, values));
    } catch (ConnectException e) {
      // Adds the node to the exception.
      String reason = e.getMessage().replace(address() + ": ", "");
      throw new NodeException(NodeException.Kind.UNREACHABLE, reason, e);
    } catch (DriverException e) {
      throw NodeException.of(e);
    }
  }

  private synchronized CqlSession open() {
    if (session == null) {
      session = DriverSessions.open(settings, tls, List.of(endPoint), endPoint);
    }
    return session;
  }

  @Override
  public synchronized void close() {
    if (session != null) {
      session.close();
      session = null;
    }
  }
}
