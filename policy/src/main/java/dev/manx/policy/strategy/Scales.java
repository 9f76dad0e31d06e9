/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.strategy.PolicyInfo.Place;
import java.util.Set;

/** Numbers and places that the registry's lists share. */
final class Scales {
  static final long MICRO = 1_000L;
  static final long MILLI = 1_000 * MICRO;
  static final long SECOND = 1_000 * MILLI;
  static final long KIB = 1L << 10;
  static final long MIB = 1L << 20;

  static final Set<Place> AT_COORDINATOR = Set.of(Place.COORDINATOR, Place.SIMULATOR);
  static final Set<Place> AT_REPLICA = Set.of(Place.REPLICA, Place.SIMULATOR);
  static final Set<Place> AT_BOTH = Set.of(Place.COORDINATOR, Place.REPLICA, Place.SIMULATOR);
  static final Set<Place> AT_APPLICATION = Set.of(Place.APPLICATION, Place.SIMULATOR);
  static final Set<Place> IN_SIMULATOR = Set.of(Place.SIMULATOR);

  private Scales() {}
}
