/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.e2e;

import com.datastax.oss.driver.api.core.CqlSession;
import dev.manx.lab.e2e.nasty.NastyPolicies;
import dev.manx.local.cluster.ManxHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * A node with logins, permissions, the dynamic snitch, another query handler behind Manx's, and
 * policies that violate the rules. Booted for the first class of those that share it, stopped after
 * the last.
 */
public final class GuestNode implements ExtensionContext.Store.CloseableResource {
  /** A separate address, because it may run while others boot. */
  static final int HOST = 21;

  private static final Set<Class<?>> SHARED_BY =
      Set.of(GuestEndToEndTest.class, NastyPoliciesEndToEndTest.class);

  final OneNode node;
  final CqlSession superuser;
  private final Set<Class<?>> ended = new HashSet<>();

  private GuestNode() throws IOException {
    Path work = ManxHome.find().root().resolve(".manx/nasty");
    Path nasty = NastyPolicies.jar(work);
    Path config = work.resolve("manx.yaml");
    Files.writeString(
        config,
        """
        plugin:
          mode: shadow
          calm-after: 0ms
          breaker: { failures: 3, window: 1s, retry-after: 1s }
        strategy: { select: select.low }
        """);
    Files.deleteIfExists(work.resolve("manx.off"));
    node =
        OneNode.boot(
            HOST,
            true,
            List.of(nasty),
            Map.of(
                "authenticator", "PasswordAuthenticator",
                "authorizer", "CassandraAuthorizer",
                "dynamic_snitch", "true",
                "batchlog_endpoint_strategy", "dynamic",
                "permissions_validity", "100ms",
                "roles_validity", "100ms",
                "tombstone_failure_threshold", "20",
                "read_thresholds_enabled", "true",
                "local_read_size_fail_threshold", "64KiB",
                // Reads that a policy strands end soon.
                "read_request_timeout", "3s"),
            List.of(
                "-Dcassandra.superuser_setup_delay_ms=0",
                "-Dmanx.config=" + config,
                "-Dmanx.next_query_handler_class="
                    + "org.apache.cassandra.cql3.CustomPayloadMirroringQueryHandler"));
    CqlSession opened = null;
    try {
      opened = OneNode.session(HOST, "cassandra", "cassandra");
      superuser = opened;
      superuser.execute(
          "CREATE KEYSPACE g WITH replication ="
              + " {'class': 'SimpleStrategy', 'replication_factor': 1}");
      superuser.execute("CREATE TABLE g.t (k int PRIMARY KEY, v int) WITH memtable = 'modelled'");
      for (int k = 0; k < 100; k++) {
        superuser.execute("INSERT INTO g.t (k, v) VALUES (?, ?)", k, -k);
      }
    } finally {
      if (opened == null) {
        node.close();
      }
    }
  }

  @Override
  public void close() {
    superuser.close();
    node.close();
  }

  /** Hands the node to tests. */
  public static final class Fixture implements ParameterResolver, AfterAllCallback {
    private static ExtensionContext.Store store(ExtensionContext context) {
      return context.getRoot().getStore(ExtensionContext.Namespace.GLOBAL);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == GuestNode.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return store(context)
          .getOrComputeIfAbsent(
              GuestNode.class,
              key -> {
                try {
                  return new GuestNode();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }

    @Override
    public void afterAll(ExtensionContext context) {
      GuestNode booted = store(context).get(GuestNode.class, GuestNode.class);
      if (booted != null) {
        booted.ended.add(context.getRequiredTestClass());
        if (booted.ended.equals(SHARED_BY)) {
          store(context).remove(GuestNode.class);
          booted.close();
        }
      }
    }
  }
}
