/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Field;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cassandra.auth.AllowAllAuthenticator;
import org.apache.cassandra.auth.IAuthenticator;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.config.GuardrailsOptions;
import org.apache.cassandra.db.guardrails.Guardrails;

/**
 * Guardrails without a node. They apply to a client that is null, as to one of an ordinary role.
 */
public final class TestGuardrails {
  private TestGuardrails() {}

  /** No guardrails. To be called first: Cassandra takes a client's settings, which has none. */
  static void none() {
    if (DatabaseDescriptor.getGuardrailsConfig() == null) {
      set("guardrails", new GuardrailsOptions(DatabaseDescriptor.getRawConfig()));
    }
  }

  /**
   * Sends prepared statements while the products of lists that statements name are guarded.
   *
   * @param warn number of keys above which clients are warned; -1 for none
   * @param fail number of keys above which statements are refused; -1 for none
   */
  public static void products(int warn, int fail, Runnable sends) {
    Guardrails.instance.setInSelectCartesianProductThreshold(warn, fail);
    try {
      onANode(sends);
    } finally {
      Guardrails.instance.setInSelectCartesianProductThreshold(-1, -1);
    }
  }

  /** Sends statements while larger pages than this are refused. */
  public static void pages(int fail, Runnable sends) {
    Guardrails.instance.setPageSizeThreshold(-1, fail);
    try {
      onANode(sends);
    } finally {
      Guardrails.instance.setPageSizeThreshold(-1, -1);
    }
  }

  /** Sends statements while reads at some consistency levels are refused. */
  public static void levels(Set<String> refused, Runnable sends) {
    Guardrails.instance.setReadConsistencyLevelsDisallowed(refused);
    try {
      onANode(sends);
    } finally {
      Guardrails.instance.setReadConsistencyLevelsDisallowed(Set.of());
    }
  }

  /**
   * Counts how often Cassandra asks whether a client is a superuser, on a node with authentication.
   */
  public static int roleChecks(Runnable sends) {
    AtomicInteger checks = new AtomicInteger();
    IAuthenticator authenticator =
        (IAuthenticator)
            Proxy.newProxyInstance(
                TestGuardrails.class.getClassLoader(),
                new Class<?>[] {IAuthenticator.class},
                (proxy, method, arguments) -> {
                  assertThat(method.getName()).isEqualTo("requireAuthentication");
                  checks.incrementAndGet();
                  return true;
                });
    onANode(authenticator, sends);
    return checks.get();
  }

  /** Every client but null is a superuser, as without authentication. */
  private static void onANode(Runnable sends) {
    onANode(new AllowAllAuthenticator(), sends);
  }

  /** Cassandra asks no guardrail outside a node. */
  private static void onANode(IAuthenticator authenticator, Runnable sends) {
    DatabaseDescriptor.setAuthenticator(authenticator);
    set("daemonInitialized", true);
    try {
      sends.run();
    } finally {
      set("daemonInitialized", false);
    }
  }

  private static void set(String name, Object value) {
    try {
      Field field = DatabaseDescriptor.class.getDeclaredField(name);
      field.setAccessible(true);
      field.set(null, value);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
