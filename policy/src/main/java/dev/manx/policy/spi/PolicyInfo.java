/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.spi;

import dev.manx.policy.config.Setting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * One policy as listed by the registry. It is declared in the policy's own class:
 *
 * <pre>{@code
 * static final PolicyInfo POLICY =
 *     PolicyInfo.named("select.lor", "least outstanding reads of this coordinator")
 *         .source("load balancers")
 *         .make(settings -> new LorSelector());
 * }</pre>
 *
 * @param name {@code family.policy}, the policy's name everywhere
 * @param summary one line
 * @param source its origin
 * @param places where it can act
 * @param settings its settings with their defaults
 * @param needsFacts names of facts without which it cannot work
 * @param needs the abilities that a host must have for it
 * @param factory makes an instance from its settings: a {@code Selector}, {@code Order}, {@code
 *     FanoutPlanner}, {@code SizeOracle}, {@code PopularityOracle}, {@code Bound}, {@code
 *     SharePolicy} or {@code IdleStrategy} by family, without any state shared with another
 */
public record PolicyInfo(
    String name,
    String summary,
    String source,
    Set<Place> places,
    List<Setting> settings,
    List<String> needsFacts,
    Set<Ability> needs,
    Function<Settings, ?> factory) {
  /** Where a policy can act. */
  public enum Place {
    /** The node that a client talks to. */
    COORDINATOR("on nodes"),
    /** The node that holds the data. */
    REPLICA("on nodes"),
    /** An application server, in front of its backends. */
    APPLICATION("in applications"),
    /** The simulator. */
    SIMULATOR("in the simulator"),
    /** Threads of the contention harness. */
    HARNESS("in the contention harness");

    private final String words;

    Place(String words) {
      this.words = words;
    }
  }

  /** Checks the name's form and freezes the lists. */
  public PolicyInfo {
    if (!name.matches("[a-z]+\\.[a-z0-9-]+")) {
      throw new IllegalArgumentException("a policy's name is family.policy, not " + name);
    }
    places = Set.copyOf(places);
    settings = List.copyOf(settings);
    needsFacts = List.copyOf(needsFacts);
    // In a fixed order, so that the same policy is always refused in the same words.
    Set<Ability> ordered = EnumSet.noneOf(Ability.class);
    ordered.addAll(needs);
    needs = Collections.unmodifiableSet(ordered);
    boolean bound = name.startsWith("bound.");
    if (bound != needs.contains(Ability.GLOBAL_STATE)) {
      throw new IllegalArgumentException(
          name + ": policies of family bound, and only these, see global state");
    }
    if (places.contains(Place.COORDINATOR) || places.contains(Place.REPLICA)) {
      for (Ability need : needs) {
        if (!Ability.OF_NODES.contains(need)) {
          throw new IllegalArgumentException(name + " cannot act on a node: it " + need.words());
        }
      }
    }
  }

  /** Begins the description of a policy without settings and special needs. */
  public static Builder named(String name, String summary) {
    return new Builder(name, summary);
  }

  /** Whether a host at some places can run it. */
  public boolean actsAt(Set<Place> hosts) {
    return hosts.stream().anyMatch(places::contains);
  }

  /** The reason for a host at other places to refuse it, in words. */
  public String actsOnly() {
    String where =
        places.stream()
            .sorted()
            .map(place -> place.words)
            .distinct()
            .collect(Collectors.joining(" and "));
    return name + " acts only " + where;
  }

  /** The policy with further settings after its present ones. */
  public PolicyInfo with(List<Setting> further) {
    List<Setting> all = new ArrayList<>(settings);
    all.addAll(further);
    return new PolicyInfo(name, summary, source, places, all, needsFacts, needs, factory);
  }

  /** The part of the name before the dot. */
  public String family() {
    return name.substring(0, name.indexOf('.'));
  }

  /** Describes a policy step by step; every step except the last is optional. */
  public static final class Builder {
    private final String name;
    private final String summary;
    private String source = "not given";
    private Set<Place> places;
    private List<Setting> settings = List.of();
    private List<String> needsFacts = List.of();
    private Set<Ability> needs = Set.of();

    private Builder(String name, String summary) {
      this.name = name;
      this.summary = summary;
    }

    /** The policy's origin: a paper, a product. */
    public Builder source(String where) {
      source = where;
      return this;
    }

    /** The settings, in the order of documentation. */
    public Builder settings(Setting... declared) {
      settings = List.of(declared);
      return this;
    }

    /** The facts without which it cannot work; a strategy with this policy must exchange them. */
    public Builder facts(String... names) {
      needsFacts = List.of(names);
      return this;
    }

    /** The abilities that a host must have; a node that lacks one refuses the policy. */
    public Builder needs(Ability... abilities) {
      needs = Set.of(abilities);
      return this;
    }

    /** The places where it acts, if they differ from its family's; other hosts refuse it. */
    public Builder at(Place... where) {
      places = Set.of(where);
      return this;
    }

    /** Completes the description with the factory. */
    public PolicyInfo make(Function<Settings, ?> factory) {
      return new PolicyInfo(
          name,
          summary,
          source,
          places == null ? usualPlaces() : places,
          settings,
          needsFacts,
          needs,
          factory);
    }

    private Set<Place> usualPlaces() {
      if (!Ability.OF_NODES.containsAll(needs)) {
        return Set.of(Place.SIMULATOR);
      }
      return switch (name.substring(0, Math.max(0, name.indexOf('.')))) {
        case "select", "fanout" -> Set.of(Place.COORDINATOR, Place.SIMULATOR);
        case "order" -> Set.of(Place.REPLICA, Place.SIMULATOR);
        case "oracle" -> Set.of(Place.COORDINATOR, Place.REPLICA, Place.SIMULATOR);
        case "cache" -> Set.of(Place.APPLICATION, Place.SIMULATOR);
        case "idle" -> Set.of(Place.COORDINATOR, Place.REPLICA, Place.HARNESS);
        default -> Set.of(Place.SIMULATOR);
      };
    }
  }
}
