/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Strategy;

/**
 * Checks, builds and activates one strategy at a time. Each strategy may hold an eighth of the
 * heap, so concurrent builds could exhaust it. Switches of the mode bypass this class: off waits
 * for no build. Any thread.
 */
final class Builds {
  private final OneAtATime one = new OneAtATime();
  private final Switches switches;

  Builds(Switches switches) {
    this.switches = switches;
  }

  /**
   * Runs a change that may build a strategy.
   *
   * @throws IllegalStateException if another one is under way; nothing has changed then
   */
  void alone(Runnable change) {
    one.run(
        () -> {
          change.run();
          return null;
        });
  }

  /**
   * Builds a checked strategy with an earlier one's learnt data. Part of a change.
   *
   * @throws dev.manx.policy.config.ConfigException if a policy cannot be built
   */
  Strategy build(String file, Blueprint next) {
    KeptOracles kept = switches.keptOracles();
    kept.makeRoom(next, switches.strategy());
    return NodeLimits.build(file, next, kept.strategy());
  }
}
