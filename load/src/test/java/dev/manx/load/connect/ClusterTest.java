/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.datastax.oss.driver.api.core.config.DefaultDriverOption;
import com.datastax.oss.driver.api.core.config.DriverConfigLoader;
import com.datastax.oss.driver.api.core.config.DriverExecutionProfile;
import dev.manx.load.CassandraSettings.Coordinators;
import dev.manx.load.DriverSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions, and queries of several nodes, some of which fail. */
@Timeout(30)
class ClusterTest {
  private static final DriverSettings SPECULATIVE =
      new DriverSettings(Coordinators.DRIVER_DEFAULT, true, 20_000_000);

  private static final DriverSettings NOT_AVOIDING =
      new DriverSettings(Coordinators.DRIVER_DEFAULT, false, 0);

  private static DriverConfigLoader config(DriverSettings... arms) {
    return Cluster.config("dc2", "LOCAL_ONE", 5_000_000_000L, Duration.ofSeconds(1), List.of(arms));
  }

  /** A policy of a profile found none, and the session did not open. */
  @Test
  void everyProfileHasTheLocalDatacenter() {
    try (DriverConfigLoader loader = config(SPECULATIVE, NOT_AVOIDING)) {
      Map<String, ? extends DriverExecutionProfile> profiles =
          loader.getInitialConfig().getProfiles();
      assertThat(profiles)
          .containsOnlyKeys("default", SPECULATIVE.profile(), NOT_AVOIDING.profile());
      for (DriverExecutionProfile profile : profiles.values()) {
        assertThat(profile.isDefined(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER))
            .as(profile.getName())
            .isTrue();
        assertThat(profile.getString(DefaultDriverOption.LOAD_BALANCING_LOCAL_DATACENTER))
            .isEqualTo("dc2");
      }
    }
  }

  @Test
  void speculativeExecutionIsOnTime() {
    try (DriverConfigLoader with = config(NOT_AVOIDING, SPECULATIVE);
        DriverConfigLoader without = config(NOT_AVOIDING)) {
      assertThat(tick(with)).isEqualTo(Duration.ofMillis(1));
      assertThat(tick(without)).as("the default").isEqualTo(Duration.ofMillis(100));
    }
  }

  private static Duration tick(DriverConfigLoader loader) {
    return loader
        .getInitialConfig()
        .getDefaultProfile()
        .getDuration(DefaultDriverOption.NETTY_TIMER_TICK_DURATION);
  }

  @Test
  void answersComeInTheirOrder() {
    assertThat(
            Cluster.all(
                List.of(
                    CompletableFuture.completedFuture(1), CompletableFuture.completedFuture(2))))
        .containsExactly(1, 2);
  }

  @Test
  void aFailureIsThrownWhenAllHaveEndedAndNamesAll() {
    AtomicBoolean awaited = new AtomicBoolean();
    Future<String> slow =
        new CompletableFuture<>() {
          @Override
          public String get() {
            awaited.set(true);
            return "the second";
          }
        };
    Future<String> first = CompletableFuture.failedFuture(new ConnectException("the first"));
    Future<String> third = CompletableFuture.failedFuture(new ConnectException("the third"));
    assertThatThrownBy(() -> Cluster.all(List.of(first, slow, third)))
        .isInstanceOf(ConnectException.class)
        .hasMessage("the first")
        .satisfies(
            e ->
                assertThat(e.getSuppressed())
                    .singleElement()
                    .satisfies(one -> assertThat(one).hasMessage("the third")));
    assertThat(awaited).as("the answer after the first failure").isTrue();
  }
}
