/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.idle.IdleStrategy;
import dev.manx.policy.strategy.StrategySpec.Choice;

/** How threads of one kind wait: a policy of family {@code idle} with its settings. Immutable. */
public final class IdleSpec {
  private final Choice choice;

  private IdleSpec(Choice choice) {
    this.choice = choice;
  }

  /**
   * Reads a policy's name, or a mapping with its name and settings.
   *
   * @throws dev.manx.policy.config.ConfigException for an unknown policy or setting, a bad value,
   *     or a policy that the host refuses: a node refuses {@code idle.spin}
   */
  public static IdleSpec read(ConfigNode node, Host host) {
    Choice choice = StrategySpec.choice(node, "idle", host);
    if (choice.policy().name().equals("idle.adaptive")
        && choice.settings().number("first-park") > choice.settings().number("max-park")) {
      throw node.refuseBecause("first-park is longer than max-park");
    }
    return new IdleSpec(choice);
  }

  /** The policy's name. */
  public String name() {
    return choice.policy().name();
  }

  /**
   * The mapping with every default written out, as YAML on one line; it parses to an equal spec.
   */
  public String written() {
    return choice.written();
  }

  /** Creates a strategy, for one waiting thread. */
  public IdleStrategy newStrategy() {
    return choice.make();
  }
}
