/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

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
 * @param factory makes one from its settings: a {@code Selector}, {@code Order}, {@code
 *     FanoutPlanner} or {@code SizeOracle} by family, without any state shared with another
 */
public record PolicyInfo(
    String name,
    String summary,
    String source,
    Set<Place> places,
    List<Setting> settings,
    List<String> needsFacts,
    Function<Settings, ?> factory) {
  /** Where a policy can act. */
  public enum Place {
    /** The node that a client talks to. */
    COORDINATOR,
    /** The node that holds the data. */
    REPLICA,
    /** The simulator. */
    SIMULATOR
  }

  /** Checks the name's form and freezes the lists. */
  public PolicyInfo {
    if (!name.matches("[a-z]+\\.[a-z0-9-]+")) {
      throw new IllegalArgumentException("a policy's name is family.policy, not " + name);
    }
    places = Set.copyOf(places);
    settings = List.copyOf(settings);
    needsFacts = List.copyOf(needsFacts);
  }

  /** The part of the name before the dot. */
  public String family() {
    return name.substring(0, name.indexOf('.'));
  }
}
