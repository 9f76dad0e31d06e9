/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.bound.Bound;
import dev.manx.policy.bound.Bounds;
import dev.manx.policy.bound.GlobalOrder;
import dev.manx.policy.fanout.Planners;
import dev.manx.policy.idle.IdleStrategies;
import dev.manx.policy.oracle.Oracles;
import dev.manx.policy.order.Orders;
import dev.manx.policy.select.Selectors;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyProvider;
import dev.manx.policy.spi.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The only registry: every policy by its name. Each family lists its policies: {@link Selectors},
 * {@link Orders}, {@link Planners}, {@link Oracles}, {@link Bounds}, {@link IdleStrategies}; {@link
 * PolicyProvider} adds those of third parties. Immutable once loaded.
 */
public final class Policies {
  private static final Map<String, PolicyInfo> ALL = load();

  private Policies() {}

  /** Every policy, in the order of the registry. */
  public static List<PolicyInfo> all() {
    return List.copyOf(ALL.values());
  }

  /**
   * The policies of a family: {@code select}, {@code order}, {@code fanout}, {@code oracle}, {@code
   * bound} or {@code idle}; for {@code cache}, which another module lists, only the policies of
   * third parties.
   */
  public static List<PolicyInfo> family(String family) {
    return ALL.values().stream().filter(info -> info.family().equals(family)).toList();
  }

  /** A policy by its name. */
  public static Optional<PolicyInfo> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  /**
   * Makes a policy.
   *
   * @throws IllegalStateException if it is a {@code Bound} but not of that family
   */
  static Object make(PolicyInfo policy, Settings settings) {
    Object made = policy.factory().apply(settings);
    if ((made instanceof Bound || made instanceof GlobalOrder)
        && !policy.needs().contains(Ability.GLOBAL_STATE)) {
      throw new IllegalStateException(
          policy.name() + " sees global state, which only bound policies may");
    }
    return made;
  }

  private static Map<String, PolicyInfo> load() {
    List<PolicyInfo> infos = new ArrayList<>();
    infos.addAll(Selectors.all());
    infos.addAll(Orders.all());
    infos.addAll(Planners.all());
    infos.addAll(Oracles.all());
    infos.addAll(Bounds.all());
    infos.addAll(IdleStrategies.all());
    for (PolicyProvider provider :
        ServiceLoader.load(PolicyProvider.class, Policies.class.getClassLoader())) {
      infos.addAll(provider.policies());
    }
    Map<String, PolicyInfo> all = new LinkedHashMap<>();
    for (PolicyInfo info : infos) {
      if (all.putIfAbsent(info.name(), info) != null) {
        throw new IllegalStateException("two policies are named " + info.name());
      }
    }
    return all;
  }
}
