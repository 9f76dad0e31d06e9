/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;

/**
 * The one registry: every policy by its name. Those of Manx are listed by family in {@link
 * SelectPolicies}, {@link OrderPolicies}, {@link FanoutPolicies}, {@link OraclePolicies}, {@link
 * BoundPolicies}, {@link CachePolicies} and {@link IdlePolicies}; a third party's come by {@link
 * PolicyProvider}. Immutable once loaded.
 */
public final class Policies {
  /** The coordinator's forecast of service times; it is part of every strategy. */
  static final List<Setting> FORECAST =
      List.of(
          Setting.duration(
              "small-default",
              Scales.MILLI,
              1,
              60 * Scales.SECOND,
              "service time until nodes report theirs"),
          Setting.duration(
              "large-default",
              4 * Scales.MILLI,
              1,
              60 * Scales.SECOND,
              "the same for a large read"));

  /** What coordinators tell each other beside the facts on answers; a strategy may do without. */
  static final List<Setting> EXCHANGE =
      List.of(
          Setting.duration(
              "interval", Scales.SECOND, Scales.MILLI, 3600 * Scales.SECOND, "between messages"),
          Setting.whole("peers", 3, 1, 1_000, "coordinators told each time, drawn at random"),
          Setting.whole("most-keys", 4_096, 0, 1 << 20, "large keys in a message, 8 bytes each"));

  private static final Map<String, PolicyInfo> ALL = load();

  private Policies() {}

  /** Every policy, in the order of the registry. */
  public static List<PolicyInfo> all() {
    return List.copyOf(ALL.values());
  }

  /**
   * The policies of a family: {@code select}, {@code order}, {@code fanout}, {@code oracle}, {@code
   * bound}, {@code cache} or {@code idle}.
   */
  public static List<PolicyInfo> family(String family) {
    return ALL.values().stream().filter(info -> info.family().equals(family)).toList();
  }

  /** A policy by its name. */
  public static Optional<PolicyInfo> find(String name) {
    return Optional.ofNullable(ALL.get(name));
  }

  private static Map<String, PolicyInfo> load() {
    List<PolicyInfo> infos = new ArrayList<>();
    infos.addAll(SelectPolicies.all());
    infos.addAll(OrderPolicies.all());
    infos.addAll(FanoutPolicies.all());
    infos.addAll(OraclePolicies.all());
    infos.addAll(BoundPolicies.all());
    infos.addAll(CachePolicies.all());
    infos.addAll(IdlePolicies.all());
    for (PolicyProvider provider :
        ServiceLoader.load(PolicyProvider.class, Policies.class.getClassLoader())) {
      infos.addAll(provider.policies());
    }
    Map<String, PolicyInfo> all = new LinkedHashMap<>();
    for (PolicyInfo info : infos) {
      if (all.putIfAbsent(info.name(), info) != null) {
        throw new IllegalStateException("two policies are called " + info.name());
      }
    }
    return all;
  }
}
