/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.local.cluster;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.cql.SimpleStatement;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.internal.core.loadbalancing.DcInferringLoadBalancingPolicy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/** Checks over the network whether a node serves. */
final class Readiness {
  private Readiness() {}

  static boolean listens(String address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(address, port), 500);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Whether a node sees the given number of others, with their tokens: writes that it coordinates
   * before it knows all tokens go to wrong replicas.
   *
   * @param login whether nodes require a login; Cassandra's initial one is used
   */
  static boolean sees(long peers, Node node, boolean login) {
    return holds(
        node,
        login,
        session ->
            session
                    .execute(SimpleStatement.newInstance("SELECT tokens FROM system.peers_v2"))
                    .all()
                    .stream()
                    .filter(row -> !row.isNull("tokens"))
                    .count()
                == peers);
  }

  /**
   * Whether Manx has taken up its mode on a node. It begins a moment after the node serves CQL, and
   * a switch before that would be refused, or undone by the configured mode.
   *
   * @param login as in {@link #sees}
   */
  static boolean manxHasBegun(Node node, boolean login) {
    return holds(
        node,
        login,
        session -> {
          Map<String, String> rows = new HashMap<>();
          session
              .execute("SELECT name, value FROM manx.strategy")
              .forEach(row -> rows.put(row.getString("name"), row.getString("value")));
          // The first switch is that to the configured mode; trouble says why there is none.
          return !"0".equals(rows.get("switches")) || !"".equals(rows.get("trouble"));
        });
  }

  /** Whether a node answers and a condition holds for it. */
  private static boolean holds(Node node, boolean login, Predicate<CqlSession> condition) {
    DriverConfigLoader config =
        DriverConfigLoader.programmaticBuilder()
            .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
            .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
            // In any datacenter.
            .withClass(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS,
                DcInferringLoadBalancingPolicy.class)
            .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, Duration.ofSeconds(5))
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, Duration.ofSeconds(5))
            // No request is in flight when it is closed.
            .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
            .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
            .build();
    CqlSessionBuilder builder = CqlSession.builder();
    if (login) {
      builder.withAuthCredentials("cassandra", "cassandra");
    }
    try (CqlSession session =
        builder
            .addContactPoint(new InetSocketAddress(node.address(), Node.NATIVE_PORT))
            // the driver would use the first node to answer; only this one is queried
            .withNodeDistanceEvaluator(
                (peer, dc) ->
                    peer.getEndPoint().resolve() instanceof InetSocketAddress at
                            && at.getAddress().getHostAddress().equals(node.address())
                        ? null
                        : NodeDistance.IGNORED)
            .withConfigLoader(config)
            .build()) {
      return condition.test(session);
    } catch (DriverException | IllegalStateException e) {
      return false;
    }
  }
}
