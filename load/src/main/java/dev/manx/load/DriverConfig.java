/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.session.Session;
import com.datastax.oss.driver.internal.core.loadbalancing.BasicLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.loadbalancing.DefaultLoadBalancingPolicy;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The driver's settings: the client does not hide or repeat slow reads unless an arm requests it,
 * and one session serves all arms by execution profiles.
 *
 * <p>With a page size of -1 in a profile no page size is sent: the native protocol's {@code
 * QueryOptions} sets the flag only for sizes above 0. (0 on a statement would mean the profile's.)
 */
final class DriverConfig {
  /**
   * Profile of loading and administration, with long time-outs. It alone reaches single nodes of
   * other datacenters, and turns to them only if none of its own is up.
   */
  static final String PATIENT = "manx-patient";

  static final int PAGE_SIZE = 5000;
  private static final int NO_PAGE_SIZE = -1;
  static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int CONNECTIONS_PER_NODE = 1;
  private static final int ALL_NODES = Integer.MAX_VALUE;
  private static final int REQUESTS_PER_CONNECTION =
      CassandraSettings.REQUESTS_PER_COORDINATOR / CONNECTIONS_PER_NODE;

  private DriverConfig() {}

  /** Adds a pair of profiles for each of the arms' settings. */
  static DriverConfigLoader loader(CassandraSettings settings, Collection<DriverSettings> arms) {
    ProgrammaticDriverConfigLoaderBuilder config =
        DriverConfigLoader.programmaticBuilder()
            .withString(
                DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER, settings.localDatacenter())
            .withClass(
                DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, DefaultLoadBalancingPolicy.class)
            .withBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE, false)
            .withClass(
                DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS,
                NoSpeculativeExecutionPolicy.class)
            .withClass(DefaultDriverOption.RETRY_POLICY_CLASS, NeverRetryPolicy.class)
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, settings.readConsistency())
            .withDuration(
                DefaultDriverOption.REQUEST_TIMEOUT,
                Duration.ofNanos(settings.requestTimeoutNanos()))
            .withInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE, CONNECTIONS_PER_NODE)
            .withInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS, REQUESTS_PER_CONNECTION)
            .withDuration(DefaultDriverOption.CONNECTION_CONNECT_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONNECTION_INIT_QUERY_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.METADATA_SCHEMA_REQUEST_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_TIMEOUT, PATIENCE)
            .withDuration(DefaultDriverOption.CONTROL_CONNECTION_AGREEMENT_TIMEOUT, PATIENCE);
    DriverSettings.setTimer(config, arms);
    // Closes quickly: a lab opens and closes sessions, and no request is in flight then.
    config.withInt(DefaultDriverOption.NETTY_IO_SHUTDOWN_QUIET_PERIOD, 0);
    config.withInt(DefaultDriverOption.NETTY_ADMIN_SHUTDOWN_QUIET_PERIOD, 0);
    config
        .startProfile(Paging.OFF.profile())
        .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, NO_PAGE_SIZE)
        .endProfile();
    config
        .startProfile(Paging.DRIVER_DEFAULT.profile())
        .withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, PAGE_SIZE)
        .endProfile();
    config
        .startProfile(PATIENT)
        .withDuration(DefaultDriverOption.REQUEST_TIMEOUT, PATIENCE)
        // Another class, since profiles with equal basic options share one policy.
        .withClass(DefaultDriverOption.LOAD_BALANCING_POLICY_CLASS, BasicLoadBalancingPolicy.class)
        .withInt(DefaultDriverOption.LOAD_BALANCING_DC_FAILOVER_MAX_NODES_PER_REMOTE_DC, ALL_NODES)
        .endProfile();
    arms.stream()
        .filter(arm -> !arm.isPlain())
        .distinct()
        .forEach(
            arm -> {
              profile(config, arm, Paging.OFF, NO_PAGE_SIZE);
              profile(config, arm, Paging.DRIVER_DEFAULT, PAGE_SIZE);
            });
    return config.build();
  }

  private static void profile(
      ProgrammaticDriverConfigLoaderBuilder config, DriverSettings arm, Paging paging, int size) {
    config.startProfile(arm.profile(paging)).withInt(DefaultDriverOption.REQUEST_PAGE_SIZE, size);
    arm.set(config);
    config.endProfile();
  }

  /** These settings for a report. */
  static Map<String, String> describe(CassandraSettings settings, Paging paging) {
    Map<String, String> out = new LinkedHashMap<>();
    out.put("driver", Session.OSS_DRIVER_COORDINATES.toString());
    out.put("driver.consistency", settings.readConsistency());
    out.put("driver.balancing", DriverSettings.plain(settings.coordinators()).words());
    out.put("driver.retries", "none: every failure counts");
    out.put("driver.request-timeout-ms", Long.toString(settings.requestTimeoutNanos() / 1_000_000));
    out.put(
        "driver.paging",
        paging == Paging.OFF ? "off: no page size is sent" : "on: page size " + PAGE_SIZE);
    out.put(
        "driver.pool",
        CONNECTIONS_PER_NODE + " connection per node, " + REQUESTS_PER_CONNECTION + " requests");
    return out;
  }
}
