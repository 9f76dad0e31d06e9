/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import com.datastax.oss.driver.api.core.AllNodesFailedException;
import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.CqlSessionBuilder;
import com.datastax.oss.driver.api.core.DriverException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.loadbalancing.NodeDistance;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import dev.manx.load.NeverRetryPolicy;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Opens the driver's sessions, and explains failures in words. */
final class DriverSessions {
  private DriverSessions() {}

  /**
   * A small session: one connection and one thread of each kind.
   *
   * @param only the only node to connect to; null if only the list of nodes is needed
   */
  static CqlSession open(
      ConnectSettings settings,
      TlsEngines tls,
      List<InetSocketAddress> addresses,
      InetSocketAddress only) {
    CqlSessionBuilder builder =
        CqlSession.builder()
            .addContactPoints(addresses)
            .withConfigLoader(config(Duration.ofNanos(settings.timeoutNanos())));
    builder.withNodeDistanceEvaluator(
        (node, datacenter) ->
            only != null && only.equals(node.getEndPoint().resolve())
                ? NodeDistance.LOCAL
                : NodeDistance.IGNORED);
    return built(builder, settings, tls, addresses);
  }

  /**
   * Logs in, speaks TLS, connects.
   *
   * @throws ConnectException if no address answers; gives the reason for each
   */
  static CqlSession built(
      CqlSessionBuilder builder,
      ConnectSettings settings,
      TlsEngines tls,
      List<InetSocketAddress> addresses) {
    settings
        .login()
        .ifPresent(login -> builder.withAuthCredentials(login.user(), login.password()));
    if (tls != null) {
      builder.withSslEngineFactory(tls);
    }
    try {
      return builder.build();
    } catch (AllNodesFailedException e) {
      throw new ConnectException(words(e, settings, addresses), e);
    } catch (DriverException e) {
      throw new ConnectException(Reasons.of(e, settings), e);
    }
  }

  /** A reason for each contact point that failed, all with the same reason together. */
  private static String words(
      AllNodesFailedException failed, ConnectSettings settings, List<InetSocketAddress> addresses) {
    Map<String, List<String>> byReason = new TreeMap<>();
    failed
        .getAllErrors()
        .forEach(
            (node, errors) -> {
              String reason = errors.isEmpty() ? "it failed" : Reasons.of(errors.get(0), settings);
              String name =
                  node.getEndPoint().resolve() instanceof InetSocketAddress address
                      ? HostPort.of(address).toString()
                      : node.toString();
              byReason.computeIfAbsent(reason, one -> new ArrayList<>()).add(name);
            });
    if (byReason.isEmpty()) {
      return addresses + ": " + Reasons.of(failed, settings);
    }
    return byReason.entrySet().stream()
        .map(one -> String.join(", ", one.getValue()) + ": " + one.getKey())
        .collect(Collectors.joining("\n  "));
  }

  private static DriverConfigLoader config(Duration timeout) {
    return DriverConfigLoader.programmaticBuilder()
        // Without a local datacenter: nodes of all datacenters are queried.
        .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, BasicLoadBalancingPolicy.class)
        .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, NeverRetryPolicy.class)
        .withBoolean(DefaultDriverOption.METADATA_SCHEMA_ENABLED, false)
        .withBoolean(DefaultDriverOption.METADATA_TOKEN_MAP_ENABLED, false)
        .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_IO_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SIZE, 1)
        .withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0)
        .withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0)
        .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, timeout)
        .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, timeout)
        .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, timeout)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, timeout)
        .withDuration(DefaultDriverOption.RECONNECTION_MAX_DELAY, Duration.ofSeconds(4))
        .build();
  }
}
