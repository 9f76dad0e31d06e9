/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.bound.Bound;
import dev.manx.policy.bound.Bounds;
import dev.manx.policy.bound.GlobalOrder;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.fanout.FanoutPlanner;
import dev.manx.policy.fanout.Planners;
import dev.manx.policy.idle.IdleStrategies;
import dev.manx.policy.idle.IdleStrategy;
import dev.manx.policy.oracle.Oracles;
import dev.manx.policy.oracle.PopularityOracle;
import dev.manx.policy.oracle.SizeOracle;
import dev.manx.policy.order.Order;
import dev.manx.policy.order.Orders;
import dev.manx.policy.select.Selector;
import dev.manx.policy.select.Selectors;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyProvider;
import dev.manx.policy.spi.Settings;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * The only registry: every policy by its name. Each family lists its policies: {@link Selectors},
 * {@link Orders}, {@link Planners}, {@link Oracles}, {@link Bounds}, {@link IdleStrategies}; {@link
 * PolicyProvider} adds those of third parties. Immutable once loaded.
 */
public final class Policies {
  private static final Map<String, PolicyInfo> OWN = own();
  private static final Loaded LOADED = Loaded.of(OWN, installed());

  private Policies() {}

  /**
   * The policies, or the reason why a third party's cannot be used: an exception thrown while this
   * class is initialized would reach only its first user, as an error without the reason.
   */
  private record Loaded(Map<String, PolicyInfo> all, ConfigException failure) {
    static Loaded of(Map<String, PolicyInfo> own, Iterable<PolicyProvider> providers) {
      try {
        return new Loaded(load(own, providers), null);
      } catch (ConfigException e) {
        return new Loaded(own, e);
      }
    }
  }

  private static Map<String, PolicyInfo> loaded() {
    if (LOADED.failure != null) {
      throw LOADED.failure;
    }
    return LOADED.all;
  }

  /**
   * Every policy, in the order of the registry.
   *
   * @throws ConfigException if a third party's policy cannot be used
   */
  public static List<PolicyInfo> all() {
    return List.copyOf(loaded().values());
  }

  /** Whether a policy is of a third party. */
  public static boolean isForeign(String name) {
    return !OWN.containsKey(name) && loaded().containsKey(name);
  }

  /**
   * The policies of a family: {@code select}, {@code order}, {@code fanout}, {@code oracle}, {@code
   * bound} or {@code idle}; for {@code cache}, which another module lists, only the policies of
   * third parties.
   */
  public static List<PolicyInfo> family(String family) {
    return loaded().values().stream().filter(info -> info.family().equals(family)).toList();
  }

  /** A policy by its name. */
  public static Optional<PolicyInfo> find(String name) {
    return Optional.ofNullable(loaded().get(name));
  }

  /**
   * Makes a policy.
   *
   * @throws ConfigException if its factory makes no object of its family
   * @throws IllegalStateException if it is a {@code Bound} but not of that family
   */
  static Object make(PolicyInfo policy, Settings settings) {
    Object made = policy.factory().apply(settings);
    if ((made instanceof Bound || made instanceof GlobalOrder)
        && !policy.needs().contains(Ability.GLOBAL_STATE)) {
      throw new IllegalStateException(
          policy.name() + " sees global state, which only bound policies may");
    }
    Class<?> type = type(policy);
    if (!type.isInstance(made)) {
      throw ConfigException.because(
          policy.name(),
          0,
          "factory",
          made == null ? "null" : made.getClass().getName(),
          "it must make a " + type.getSimpleName());
    }
    return made;
  }

  private static Class<?> type(PolicyInfo policy) {
    return switch (policy.family()) {
      case "select" -> Selector.class;
      case "order" -> Order.class;
      case "fanout" -> FanoutPlanner.class;
      case "oracle" ->
          policy.name().startsWith("oracle.size-") ? SizeOracle.class : PopularityOracle.class;
      case "bound" -> Bound.class;
      case "idle" -> IdleStrategy.class;
      default -> Object.class;
    };
  }

  private static Map<String, PolicyInfo> own() {
    List<PolicyInfo> infos = new ArrayList<>();
    infos.addAll(Selectors.all());
    infos.addAll(Orders.all());
    infos.addAll(Planners.all());
    infos.addAll(Oracles.all());
    infos.addAll(Bounds.all());
    infos.addAll(IdleStrategies.all());
    Map<String, PolicyInfo> own = new LinkedHashMap<>();
    for (PolicyInfo info : infos) {
      if (own.putIfAbsent(info.name(), info) != null) {
        throw new IllegalStateException("two policies are named " + info.name());
      }
    }
    return own;
  }

  private static Iterable<PolicyProvider> installed() {
    return ServiceLoader.load(PolicyProvider.class, Policies.class.getClassLoader());
  }

  /**
   * Adds third parties' policies.
   *
   * @throws ConfigException if a provider cannot be loaded, or its policies cannot be used
   */
  static Map<String, PolicyInfo> load(
      Map<String, PolicyInfo> own, Iterable<PolicyProvider> providers) {
    Map<String, PolicyInfo> all = new LinkedHashMap<>(own);
    Iterator<PolicyProvider> rest = providers.iterator();
    for (PolicyProvider provider = next(rest); provider != null; provider = next(rest)) {
      for (PolicyInfo info : policies(provider)) {
        if (all.putIfAbsent(info.name(), info) != null) {
          throw ConfigException.because(
              of(provider), 0, "policy", info.name(), "another policy has this name");
        }
      }
    }
    return all;
  }

  private static PolicyProvider next(Iterator<PolicyProvider> providers) {
    try {
      return providers.hasNext() ? providers.next() : null;
    } catch (ServiceConfigurationError | LinkageError e) {
      Throwable cause = e;
      while (cause.getCause() != null) {
        cause = cause.getCause();
      }
      throw ConfigException.unreadable(
          "policies of a third party", cause == e ? e.getMessage() : e.getMessage() + ": " + cause);
    }
  }

  private static List<PolicyInfo> policies(PolicyProvider provider) {
    List<PolicyInfo> policies;
    try {
      policies = provider.policies();
    } catch (RuntimeException | LinkageError e) {
      // For a policy that is declared in a static field, the reason is the cause of the error.
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw ConfigException.unreadable(of(provider), why.toString());
    }
    if (policies == null || policies.stream().anyMatch(Objects::isNull)) {
      throw ConfigException.because(
          of(provider), 0, "policies", "null", "a provider returns a list of policies");
    }
    return policies;
  }

  /** The provider, for users: its class, and its jar if that is known. */
  private static String of(PolicyProvider provider) {
    CodeSource source = provider.getClass().getProtectionDomain().getCodeSource();
    String type = provider.getClass().getName();
    String jar = source == null ? "null" : String.valueOf(source.getLocation());
    return jar.equals("null") ? type : type + " in " + jar.replaceFirst("^file:", "");
  }
}
