/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.shares;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Values;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.Settings;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The configured division of a cache: {@code cache.robinhood}, or a mapping such as {@code {
 * policy: cache.robinhood, tax: 2%, goal: p99 }} with settings of the policy and of its controller,
 * every default resolved. Immutable.
 */
public final class CacheStrategy {
  // Settings that scale with the cache and the clock in a run compressed in time, including numbers
  // of requests in a window. Latencies, rates and the value of one hit do not scale: there are
  // fewer hits between two decisions.
  private static final Set<String> SCALED =
      Set.of(
          "interval",
          "window",
          "stale-after",
          "floor",
          "lately",
          "usually",
          "page",
          "learn",
          "judge",
          "shadow",
          "enough");

  private static final String OWN_JAR =
      "; a policy of your own needs its jar on the class path, where MANX_POLICIES puts it for"
          + " ./manx";

  private final PolicyInfo policy;
  private final Values settings;
  private final LongSupplier seeds;
  // Settings given explicitly, even if equal to the defaults.
  private final Set<String> given;

  private CacheStrategy(PolicyInfo policy, Values settings, LongSupplier seeds, Set<String> given) {
    this.policy = policy;
    this.settings = settings;
    this.seeds = seeds;
    this.given = Set.copyOf(given);
  }

  /**
   * Reads one.
   *
   * @param seeds for policies that use random numbers; returns a new seed at each call
   * @throws dev.manx.policy.config.ConfigException if anything is refused
   */
  public static CacheStrategy of(ConfigNode node, LongSupplier seeds) {
    ConfigNode name = node.isMapping() ? node.at("policy") : node;
    PolicyInfo policy =
        SharePolicies.find(name.text())
            .orElseThrow(
                () ->
                    name.refuse(
                        "one of "
                            + SharePolicies.all().stream()
                                .map(PolicyInfo::name)
                                .collect(Collectors.joining(", "))
                            + (name.text().startsWith("cache.") ? OWN_JAR : "")));
    Values values = Values.read(policy.settings(), node.isMapping() ? node : null);
    if (node.isMapping()) {
      node.find("window").ifPresent(window -> checkWindow(window, values));
      node.find("groups").ifPresent(groups -> checkGroups(groups, values, policy));
      node.noOtherKeys();
    }
    return new CacheStrategy(policy, values, seeds, node.isMapping() ? node.names() : Set.of());
  }

  /** A default window may be too long for a short interval; it is then cut. */
  private static void checkWindow(ConfigNode window, Values values) {
    // At most 64 hours: no overflow.
    if (values.number("window") > ControllerSettings.MOST_WINDOWS * values.number("interval")) {
      throw window.refuse("at most " + ControllerSettings.MOST_WINDOWS + " times interval");
    }
  }

  /** A group has no miss curve, by which the policy compares divisions of the space. */
  private static void checkGroups(ConfigNode groups, Values values, PolicyInfo policy) {
    String guarded = GuardedPolicy.POLICY.name();
    if (policy.name().equals(guarded) && !values.word("groups").equals("none")) {
      throw groups.refuseBecause(guarded + " does not support groups");
    }
  }

  /** A policy of the registry with its defaults. */
  public static CacheStrategy named(String name) {
    return of(ConfigNode.parse(name, "policy: " + name), () -> 1);
  }

  /**
   * The reason for a host to refuse the policy, in words; empty if it acts there.
   *
   * @param place the place of the host
   */
  public Optional<String> refusalAt(Place place) {
    return policy.actsAt(Set.of(place)) ? Optional.empty() : Optional.of(policy.actsOnly());
  }

  /** The policy's name in the registry. */
  public String name() {
    return policy.name();
  }

  /**
   * Returns this strategy with bytes, objects and durations multiplied; latencies and rates are
   * unchanged.
   */
  public CacheStrategy scaled(double times, LongSupplier seeds) {
    Values scaled = settings;
    for (String name : SCALED) {
      if (settings.has(name) && settings.number(name) > 0) {
        scaled = scaled.with(name, Math.max(1, Math.round(settings.number(name) * times)));
      }
    }
    return new CacheStrategy(policy, scaled, seeds, given);
  }

  /**
   * Returns this strategy for a cache of the given size: unless set explicitly, the floor is at
   * most half a per cent of it and the page a thousandth. RobinHood's floor of 30 MiB and page of 1
   * MiB are for caches of gigabytes; an explicit value is kept.
   */
  public CacheStrategy forCapacity(long bytes) {
    Values fitting = settings;
    if (!given.contains("floor")) {
      fitting = fitting.with("floor", Math.min(settings.number("floor"), bytes / 200));
    }
    if (!given.contains("page")) {
      long most = Math.max(1, bytes / 1024);
      fitting = fitting.with("page", Math.min(settings.number("page"), most));
    }
    return new CacheStrategy(policy, fitting, seeds, given);
  }

  /** Another policy of the registry with the settings of this strategy that both have. */
  public CacheStrategy withPolicy(String other) {
    CacheStrategy made = named(other);
    return new CacheStrategy(made.policy, made.settings.with(settings), seeds, given);
  }

  /** A new policy without shared state. */
  public SharePolicy newPolicy() {
    SharePolicy made = (SharePolicy) policy.factory().apply(Settings.of(settings, () -> 0, seeds));
    String groups = settings.word("groups");
    if (groups.equals("none")) {
      return made;
    }
    List<List<String>> split = new ArrayList<>();
    for (String group : groups.split(",", -1)) {
      split.add(List.of(group.split("\\+", -1)));
    }
    return new GroupedPolicy(made, split);
  }

  /** The controller's settings. */
  public ControllerSettings controller() {
    return ControllerSettings.of(settings);
  }

  /** Name and settings as written, {@code policy} first. */
  public Map<String, String> written() {
    Map<String, String> written = new LinkedHashMap<>();
    written.put("policy", name());
    written.putAll(settings.written());
    return written;
  }
}
