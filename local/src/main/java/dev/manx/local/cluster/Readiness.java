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
      return session
              .execute(SimpleStatement.newInstance("SELECT tokens FROM system.peers_v2"))
              .all()
              .stream()
              .filter(row -> !row.isNull("tokens"))
              .count()
          == peers;
    } catch (DriverException | IllegalStateException e) {
      return false;
    }
  }
}
