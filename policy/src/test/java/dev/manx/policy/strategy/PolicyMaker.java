/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.spi.Settings;
import dev.manx.policy.strategy.StrategySpec.Choice;

/** Makes policies, and strategies with them. */
public final class PolicyMaker {
  private static final Host HOST = Host.simulator(() -> 0, () -> 42);

  private PolicyMaker() {}

  /**
   * Makes a strategy with a planner and {@code select.low}; the planner need not be registered.
   *
   * @param written the planner's settings, each as {@code name: value}; otherwise its defaults
   */
  public static Strategy planning(PolicyInfo planner, String... written) {
    StrategySpec stock = StrategySpec.read(ConfigNode.parse("test", "select: select.low"), HOST);
    return new Strategy(
        new StrategySpec(
            stock.select(),
            stock.order(),
            new Choice(planner, settings(planner, written)),
            stock.bound(),
            stock.size(),
            stock.popularity(),
            stock.forecast(),
            stock.exchange(),
            stock.facts()));
  }

  /** Makes a policy with its defaults; it need not be registered. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <T> T make(PolicyInfo info) {
    return (T) Policies.make(info, HOST.settings(info.settings(), null));
  }

  /**
   * Makes a registered policy with some settings.
   *
   * @param written each as {@code name: value}
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <T> T make(String name, String... written) {
    PolicyInfo info = Policies.find(name).orElseThrow();
    return (T) Policies.make(info, settings(info, written));
  }

  private static Settings settings(PolicyInfo info, String... written) {
    ConfigNode node = ConfigNode.parse(info.name(), "{ " + String.join(", ", written) + " }");
    Settings settings = HOST.settings(info.settings(), node);
    node.noOtherKeys();
    return settings;
  }
}
