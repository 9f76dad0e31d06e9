/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.policy.strategy;

/** Makes a registered policy with its defaults. */
public final class PolicyMaker {
  private PolicyMaker() {}

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  public static <T> T make(PolicyInfo info) {
    return (T) info.factory().apply(Settings.read(info.settings(), null, () -> 0));
  }
}
