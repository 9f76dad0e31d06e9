/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

/** Makes a registered policy with its defaults. */
public final class PolicyMaker {
  private static final Host HOST = Host.simulator(() -> 0, () -> 42);

  private PolicyMaker() {}

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <T> T make(PolicyInfo info) {
    return (T) info.make(Settings.read(info.settings(), null, HOST));
  }
}
