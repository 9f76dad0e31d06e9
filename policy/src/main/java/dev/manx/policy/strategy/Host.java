/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.NanoClock;
import dev.manx.policy.SplitMix;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import dev.manx.policy.spi.Ability;
import dev.manx.policy.spi.PolicyInfo.Place;
import dev.manx.policy.spi.Settings;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The environment of a strategy: its clock, its seeds, its abilities and its places. A strategy
 * with a policy that needs more, or that acts only elsewhere, is refused.
 *
 * @param clock monotonic
 * @param seeds a new seed at each call, from any thread
 * @param abilities the abilities that the host provides to policies
 * @param places the places that it is or plays
 */
public record Host(NanoClock clock, LongSupplier seeds, Set<Ability> abilities, Set<Place> places) {
  /** Freezes the sets. */
  public Host {
    abilities = Set.copyOf(abilities);
    places = Set.copyOf(places);
  }

  /**
   * Reads settings for a policy that runs here; settings missing from the mapping get their
   * defaults.
   *
   * @param node the mapping, or null for defaults only; the caller refuses other keys
   */
  Settings settings(List<Setting> settings, ConfigNode node) {
    return Settings.of(Values.read(settings, node), clock, seeds);
  }

  /** Creates the host for a Cassandra node with the plugin. */
  public static Host node(NanoClock clock) {
    AtomicLong drawn = new AtomicLong(clock.nanoTime());
    return new Host(
        clock,
        () -> SplitMix.mix(drawn.incrementAndGet()),
        Ability.OF_NODES,
        EnumSet.of(Place.COORDINATOR, Place.REPLICA));
  }

  /** Creates the host for the contention harness, whose threads may wait in any way. */
  public static Host harness(NanoClock clock) {
    return new Host(
        clock, clock::nanoTime, EnumSet.of(Ability.UNBOUNDED_SPIN), EnumSet.of(Place.HARNESS));
  }

  /** Creates the host for a simulator, which has every ability. */
  public static Host simulator(NanoClock clock, LongSupplier seeds) {
    return new Host(clock, seeds, EnumSet.allOf(Ability.class), EnumSet.of(Place.SIMULATOR));
  }

  /**
   * Creates the host that replays a log: it has every ability, and stands for the place where the
   * log was recorded.
   */
  public static Host replay(NanoClock clock, LongSupplier seeds) {
    return new Host(clock, seeds, EnumSet.allOf(Ability.class), EnumSet.allOf(Place.class));
  }
}
