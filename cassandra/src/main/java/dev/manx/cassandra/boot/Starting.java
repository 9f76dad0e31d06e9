/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.metrics.Registered;

/**
 * The gauge {@code Starting}: 1 while the node starts, and 0 once Manx has begun or has failed to.
 * While a node bootstraps or replays its log, this is its only metric of Manx, which distinguishes
 * it from a node without Manx.
 */
final class Starting {
  private volatile boolean ended;

  /** Registers the gauge. An error of the registry has no effect. */
  void show(Registered.Registry registry) {
    new Registered(registry, () -> {}).gauge("Starting", () -> ended ? 0 : 1);
  }

  /** Records that Manx has begun, or has failed to. */
  void end() {
    ended = true;
  }
}
