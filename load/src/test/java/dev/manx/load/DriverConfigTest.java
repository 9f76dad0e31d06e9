/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.DriverTimeoutException;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import com.datastax.oss.driver.api.core.config.ProgrammaticDriverConfigLoaderBuilder;
import com.datastax.oss.driver.api.core.retry.RetryDecision;
import com.datastax.oss.driver.internal.core.specex.ConstantSpeculativeExecutionPolicy;
import com.datastax.oss.driver.internal.core.specex.NoSpeculativeExecutionPolicy;
import com.datastax.oss.protocol.internal.ProtocolConstants;
import com.datastax.oss.protocol.internal.request.query.QueryOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class DriverConfigTest {
  private static final CassandraSettings SETTINGS =
      CassandraSettings.of(List.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9042)));

  private static final DriverSettings PLAIN = DriverSettings.plain(SETTINGS.coordinators());

  @Test
  void nothingHidesOrRepeatsASlowRead() {
    try (DriverConfigLoader loader = DriverConfig.loader(SETTINGS, List.of())) {
      for (DriverExecutionProfile profile : loader.getInitialConfig().getProfiles().values()) {
        assertThat(profile.getBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE))
            .isFalse();
        assertThat(profile.getString(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS))
            .isEqualTo(NoSpeculativeExecutionPolicy.class.getName());
        assertThat(profile.getString(DefaultDriverOption.RETRY_POLICY_CLASS))
            .isEqualTo(NeverRetryPolicy.class.getName());
        assertThat(profile.getString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER))
            .isEqualTo("datacenter1");
        assertThat(profile.getInt(DefaultDriverOption.CONNECTION_POOL_LOCAL_SIZE)).isEqualTo(1);
        assertThat(profile.getInt(DefaultDriverOption.CONNECTION_MAX_REQUESTS)).isEqualTo(1024);
      }
      DriverExecutionProfile base = loader.getInitialConfig().getDefaultProfile();
      assertThat(base.getString(DefaultDriverOption.REQUEST_CONSISTENCY)).isEqualTo("ONE");
      assertThat(base.getDuration(DefaultDriverOption.REQUEST_TIMEOUT))
          .isEqualTo(Duration.ofSeconds(5));
    }
  }

  @Test
  void unpagedReadsSendNoPageSize() {
    try (DriverConfigLoader loader = DriverConfig.loader(SETTINGS, List.of())) {
      assertThat(pageSizeFlag(pageSize(loader, Paging.OFF))).isZero();
      assertThat(pageSizeFlag(pageSize(loader, Paging.DRIVER_DEFAULT)))
          .isEqualTo(ProtocolConstants.QueryFlag.PAGE_SIZE);
      assertThat(pageSize(loader, Paging.DRIVER_DEFAULT))
          .isEqualTo(
              loader
                  .getInitialConfig()
                  .getDefaultProfile()
                  .getInt(DefaultDriverOption.REQUEST_PAGE_SIZE));
    }
  }

  @Test
  void aForeignSessionGetsProfilesThatDifferInNothingElse() {
    ProgrammaticDriverConfigLoaderBuilder config =
        DriverConfigLoader.programmaticBuilder()
            .withString(DefaultDriverOption.REQUEST_CONSISTENCY, "LOCAL_QUORUM");
    DriverSettings speculative =
        new DriverSettings(CassandraSettings.Coordinators.DRIVER_DEFAULT, true, 20_000_000);
    List.of(speculative, PLAIN).forEach(driver -> driver.addTo(config));
    try (DriverConfigLoader loader = config.build()) {
      DriverExecutionProfile own = loader.getInitialConfig().getDefaultProfile();
      DriverExecutionProfile profile = loader.getInitialConfig().getProfile(speculative.profile());
      assertThat(profile.getString(DefaultDriverOption.REQUEST_CONSISTENCY))
          .isEqualTo("LOCAL_QUORUM");
      assertThat(profile.getInt(DefaultDriverOption.REQUEST_PAGE_SIZE))
          .isEqualTo(own.getInt(DefaultDriverOption.REQUEST_PAGE_SIZE));
      assertThat(profile.getDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY))
          .isEqualTo(Duration.ofMillis(20));
      assertThat(
              loader
                  .getInitialConfig()
                  .getProfile(PLAIN.profile())
                  .getBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE))
          .isFalse();
    }
  }

  @Test
  void anArmMayHaveTheDriverAsPeopleRunIt() {
    DriverSettings shipped =
        new DriverSettings(CassandraSettings.Coordinators.DRIVER_DEFAULT, true, 20_000_000);
    try (DriverConfigLoader loader =
        DriverConfig.loader(SETTINGS, List.of(shipped, shipped, PLAIN))) {
      DriverExecutionProfile profile =
          loader.getInitialConfig().getProfile(shipped.profile(Paging.OFF));
      assertThat(profile.getBoolean(DefaultDriverOption.LOAD_BALANCING_POLICY_SLOW_AVOIDANCE))
          .isTrue();
      assertThat(profile.getString(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS))
          .isEqualTo(ConstantSpeculativeExecutionPolicy.class.getName());
      assertThat(profile.getInt(DefaultDriverOption.SPECULATIVE_EXECUTION_MAX)).isEqualTo(2);
      assertThat(profile.getDuration(DefaultDriverOption.SPECULATIVE_EXECUTION_DELAY))
          .isEqualTo(Duration.ofMillis(20));
      assertThat(pageSizeFlag(profile.getInt(DefaultDriverOption.REQUEST_PAGE_SIZE))).isZero();
      assertThat(PLAIN.profile(Paging.OFF)).isEqualTo(Paging.OFF.profile());
      assertThat(
              loader
                  .getInitialConfig()
                  .getProfile(Paging.OFF.profile())
                  .getString(DefaultDriverOption.SPECULATIVE_EXECUTION_POLICY_CLASS))
          .isEqualTo(NoSpeculativeExecutionPolicy.class.getName());
    }
  }

  /** The timer sends the second requests, and its default tick delayed them by up to 100 ms. */
  @Test
  void speculativeExecutionIsOnTime() {
    DriverSettings avoiding =
        new DriverSettings(CassandraSettings.Coordinators.DRIVER_DEFAULT, true, 0);
    DriverSettings speculative =
        new DriverSettings(CassandraSettings.Coordinators.DRIVER_DEFAULT, false, 20_000_000);
    assertThat(tick(List.of(PLAIN, avoiding))).as("the default").isEqualTo(Duration.ofMillis(100));
    assertThat(tick(List.of(PLAIN, speculative))).isEqualTo(Duration.ofMillis(1));
    assertThat(DriverSettings.timerWords(List.of(PLAIN, avoiding))).isEmpty();
    assertThat(DriverSettings.timerWords(List.of(PLAIN, speculative)).orElseThrow())
        .startsWith("tick of 1 ms ");
  }

  private static Duration tick(List<DriverSettings> arms) {
    try (DriverConfigLoader loader = DriverConfig.loader(SETTINGS, arms)) {
      return loader
          .getInitialConfig()
          .getDefaultProfile()
          .getDuration(DefaultDriverOption.NETTY_TIMER_TICK_DURATION);
    }
  }

  @Test
  void theDriverCannotAvoidANodeThatWasChosenForIt() {
    assertThatThrownBy(
            () -> new DriverSettings(CassandraSettings.Coordinators.ROUND_ROBIN, true, 0))
        .hasMessageContaining("round-robin chooses the node");
  }

  @Test
  void theReportSaysSo() {
    assertThat(DriverConfig.describe(SETTINGS, Paging.OFF))
        .containsEntry("driver.paging", "off: no page size is sent")
        .hasEntrySatisfying("driver", name -> assertThat(name).contains("4.19"))
        .containsEntry(
            "driver.balancing",
            "default policy, token-aware for single reads, slow replica avoidance off,"
                + " speculative execution off")
        .containsEntry("driver.request-timeout-ms", "5000");
    assertThat(DriverConfig.describe(SETTINGS, Paging.DRIVER_DEFAULT))
        .containsEntry("driver.paging", "on: page size 5000");
  }

  @Test
  void failuresKeepTheirName() {
    Throwable timeout = new CompletionException(new DriverTimeoutException("slow"));
    assertThat(CassandraTarget.failure(timeout))
        .isEqualTo(RequestOutcome.timedOut("DriverTimeoutException"));
    assertThat(CassandraTarget.failure(new NoNodeAvailableException()))
        .isEqualTo(RequestOutcome.unsent("NoNodeAvailableException"));
  }

  @Test
  @SuppressWarnings("deprecation")
  void noFailureIsRetried() {
    try (NeverRetryPolicy policy = new NeverRetryPolicy(null, "default")) {
      assertThat(policy.onReadTimeout(null, null, 1, 1, false, 0)).isEqualTo(RetryDecision.RETHROW);
      assertThat(policy.onUnavailable(null, null, 1, 0, 0)).isEqualTo(RetryDecision.RETHROW);
      assertThat(policy.onErrorResponse(null, null, 0)).isEqualTo(RetryDecision.RETHROW);
      assertThat(policy.onRequestAborted(null, null, 0)).isEqualTo(RetryDecision.RETHROW);
      assertThat(policy.onWriteTimeout(null, null, null, 1, 0, 0)).isEqualTo(RetryDecision.RETHROW);
    }
  }

  @Test
  void aContactPointIsNeeded() {
    assertThatThrownBy(() -> CassandraSettings.of(List.of()))
        .hasMessageContaining("at least one contact point");
  }

  private static int pageSize(DriverConfigLoader loader, Paging paging) {
    return loader
        .getInitialConfig()
        .getProfile(paging.profile())
        .getInt(DefaultDriverOption.REQUEST_PAGE_SIZE);
  }

  private static int pageSizeFlag(int pageSize) {
    QueryOptions options =
        new QueryOptions(
            ProtocolConstants.ConsistencyLevel.ONE,
            List.of(),
            Map.of(),
            false,
            pageSize,
            null,
            ProtocolConstants.ConsistencyLevel.SERIAL,
            QueryOptions.NO_DEFAULT_TIMESTAMP,
            null,
            QueryOptions.NO_NOW_IN_SECONDS);
    return options.flags & ProtocolConstants.QueryFlag.PAGE_SIZE;
  }
}
