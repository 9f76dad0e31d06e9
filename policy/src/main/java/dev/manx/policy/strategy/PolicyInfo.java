/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.bound.Bound;
import dev.manx.policy.bound.GlobalOrder;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * What the registry knows of one policy.
 *
 * @param name {@code family.policy}, the one name everywhere
 * @param summary one line
 * @param source where it comes from
 * @param places where it can act
 * @param settings its settings with their defaults
 * @param needsFacts names of facts without which it cannot work
 * @param needs what a host must be able to do for it
 * @param factory makes one from its settings: a {@code Selector}, {@code Order}, {@code
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
  /** The one family that may see the state of the whole cluster at once. */
  public static final String BOUND = "bound";

  /** Where a policy can act. */
  public enum Place {
    /** The node that a client talks to. */
    COORDINATOR,
    /** The node that holds the data. */
    REPLICA,
    /** An application server, in front of its backends. */
    APPLICATION,
    /** The simulator. */
    SIMULATOR,
    /** Threads of the contention harness. */
    HARNESS
  }

  /** Checks the name's form and freezes the lists. */
  public PolicyInfo {
    if (!name.matches("[a-z]+\\.[a-z0-9-]+")) {
      throw new IllegalArgumentException("a policy's name is family.policy, not " + name);
    }
    places = Set.copyOf(places);
    settings = List.copyOf(settings);
    needsFacts = List.copyOf(needsFacts);
    // In one order, so that the same policy is refused in the same words every time.
    Set<Ability> ordered = EnumSet.noneOf(Ability.class);
    ordered.addAll(needs);
    needs = Collections.unmodifiableSet(ordered);
    boolean bound = name.startsWith(BOUND + ".");
    if (bound != needs.contains(Ability.GLOBAL_STATE)) {
      throw new IllegalArgumentException(
          name + ": policies of family bound, and no others, see global state");
    }
    if (places.contains(Place.COORDINATOR) || places.contains(Place.REPLICA)) {
      for (Ability need : needs) {
        if (!Ability.OF_NODES.contains(need)) {
          throw new IllegalArgumentException(name + " cannot act on a node: it " + need.words());
        }
      }
    }
  }

  /** A policy that asks nothing special of its host. */
  public PolicyInfo(
      String name,
      String summary,
      String source,
      Set<Place> places,
      List<Setting> settings,
      List<String> needsFacts,
      Function<Settings, ?> factory) {
    this(name, summary, source, places, settings, needsFacts, Set.of(), factory);
  }

  /**
   * Makes one.
   *
   * @throws IllegalStateException if it is a {@code Bound} and not of that family
   */
  public Object make(Settings resolved) {
    Object made = factory.apply(resolved);
    if ((made instanceof Bound || made instanceof GlobalOrder) && !family().equals(BOUND)) {
      throw new IllegalStateException(name + " sees global state, which only bound policies may");
    }
    return made;
  }

  /** The part of the name before the dot. */
  public String family() {
    return name.substring(0, name.indexOf('.'));
  }
}
