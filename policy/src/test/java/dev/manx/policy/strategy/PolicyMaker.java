/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.spi.PolicyInfo;

/** Makes registered policies. */
public final class PolicyMaker {
  private static final Host HOST = Host.simulator(() -> 0, () -> 42);

  private PolicyMaker() {}

  /** Makes a policy with its defaults. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <T> T make(PolicyInfo info) {
    return (T) Policies.make(info, HOST.settings(info.settings(), null));
  }

  /**
   * Makes a policy with some settings.
   *
   * @param written each as {@code name: value}
   */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <T> T make(String name, String... written) {
    PolicyInfo info = Policies.find(name).orElseThrow();
    ConfigNode node = ConfigNode.parse(name, "{ " + String.join(", ", written) + " }");
    T made = (T) Policies.make(info, HOST.settings(info.settings(), node));
    node.noOtherKeys();
    return made;
  }
}
