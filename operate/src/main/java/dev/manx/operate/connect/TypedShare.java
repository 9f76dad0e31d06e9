/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.operate.connect;

import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.Units;
import java.util.OptionalDouble;

/** A share of requests or decisions as typed: {@code 10%} or {@code 0.1}. */
public final class TypedShare {
  private TypedShare() {}

  /**
   * The fraction that a text means; empty if it is none.
   *
   * @throws ConfigException for a whole number, such as 1, which could mean 1% or all
   */
  public static OptionalDouble of(String parameter, String text) {
    OptionalDouble share = Units.fraction(text);
    boolean percent = text.endsWith("%");
    if (share.isPresent() && !percent && (share.getAsDouble() >= 1 || !text.contains("."))) {
      throw new ConfigException(
          "command line",
          0,
          parameter,
          text,
          (text.matches("1(\\.0+)?") ? "1% or 100%? " : "")
              + "a share with a percent sign, such as 10%, or a decimal below 1, such as 0.1");
    }
    return share;
  }
}
