/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.load.own;

import static org.assertj.core.api.Assertions.assertThat;

import com.datastax.oss.driver.api.core.CqlSession;
import com.datastax.oss.driver.api.core.NoNodeAvailableException;
import com.datastax.oss.driver.api.core.cql.BoundStatement;
import com.datastax.oss.driver.api.core.cql.PreparedStatement;
import com.datastax.oss.driver.api.core.type.DataTypes;
import dev.manx.load.CassandraSettings.Coordinators;
import dev.manx.load.DriverSettings;
import dev.manx.workload.PlannedRequest;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests as the driver gets them, and the remedy for a missing permission. */
class OwnTargetTest {
  private static final DriverSettings DRIVER =
      new DriverSettings(Coordinators.DRIVER_DEFAULT, false, 20_000_000);

  /** What was set on the sent statement, by setter. */
  private final Map<String, Object> set = new HashMap<>();

  private <T> T proxy(Class<T> type, InvocationHandler handler) {
    Class<?>[] types = {type};
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, handler));
  }

  /** A target of one statement, at a driver that fails. */
  private OwnTarget target(String cql) {
    BoundStatement bound =
        proxy(
            BoundStatement.class,
            (self, method, arguments) -> {
              set.put(method.getName(), arguments[0]);
              return self;
            });
    PreparedStatement prepared = proxy(PreparedStatement.class, (self, method, arguments) -> bound);
    CqlSession session =
        proxy(
            CqlSession.class,
            (self, method, arguments) ->
                CompletableFuture.failedFuture(new NoNodeAvailableException()));
    OwnMarkers markers =
        OwnMarkers.of(
            new OwnStatement("item", cql, 1, 1, 1),
            "shop.items",
            List.of(OwnMarkers.Marker.of("id", DataTypes.INT)),
            List.of(new OwnMarkers.Column("id", "partition_key", "int")));
    return new OwnTarget(session, List.of(new OwnRows(markers, prepared, List.of(List.of(7)))), 1);
  }

  /** The driver retries idempotent requests, so arms that differed in it had other failures. */
  @ParameterizedTest
  @CsvSource({
    "SELECT * FROM shop.items WHERE id = ?, true",
    "DELETE FROM shop.items WHERE id = ?, false"
  })
  void allArmsMarkTheSameRequestsAsIdempotent(String cql, boolean idempotent) {
    PlannedRequest request = new PlannedRequest(0, 0, false, new int[] {0});
    OwnTarget plain = target(cql);
    assertThat(plain.send(request)).isCompleted();
    assertThat(set).containsExactly(Map.entry("setIdempotent", idempotent));
    set.clear();
    assertThat(plain.with(DRIVER).send(request)).isCompleted();
    assertThat(set)
        .containsOnly(
            Map.entry("setIdempotent", idempotent),
            Map.entry("setExecutionProfileName", DRIVER.profile()));
  }

  /** A small sample measures rows that are in caches, which no result shows. */
  @Test
  void rowsThatAreReadAgainAndAgainAreTold() {
    OwnTarget reads = target("SELECT * FROM shop.items WHERE id = ?");
    assertThat(reads.words(35))
        .containsExactly("item from 1 rows, each used some 35.0 times in the run");
    assertThat(reads.warnings(35))
        .singleElement()
        .asString()
        .startsWith("item reads each of its 1 sampled rows some 35 times in the run")
        .contains("set sample to 35");
    assertThat(reads.warnings(1.2)).isEmpty();
    assertThat(target("DELETE FROM shop.items WHERE id = ?").warnings(35)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "looker | <table shop.items> | ; GRANT SELECT ON TABLE shop.items TO looker",
        "Looker | <table Shop.Items> | ; GRANT SELECT ON TABLE \"Shop\".\"Items\" TO \"Looker\"",
        "the app | <table shop.items> | ; GRANT SELECT ON TABLE shop.items TO \"the app\"",
        "looker | <all functions> | ''"
      })
  void theGrantCanBeCopied(String user, String resource, String grant) {
    assertThat(
            OwnTarget.grant(
                "User "
                    + user
                    + " has no SELECT permission on "
                    + resource
                    + " or any of its parents"))
        .isEqualTo(grant);
  }
}
