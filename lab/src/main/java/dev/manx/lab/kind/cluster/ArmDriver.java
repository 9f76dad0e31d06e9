/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.lab.settings.YamlText;
import dev.manx.load.CassandraSettings.Coordinators;
import dev.manx.load.DriverSettings;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import java.util.Map;

/** An arm's key {@code driver}: the driver as people run it, with what it does about slow nodes. */
public final class ArmDriver {
  private static final Section SECTION =
      Section.of(
          Key.of(
              Setting.word(
                  "slow-avoidance", "whether it avoids nodes that answer slowly", "on", "off")),
          Key.of(
              Setting.durationOr(
                  "off",
                  "speculative-execution",
                  "100us",
                  "1min",
                  "a request is sent to a second coordinator after this time")));

  /** Key {@code driver} of an arm. */
  public static final Key KEY =
      Key.optional(
          "driver",
          SECTION,
          "the driver as it is shipped, with its own token-aware load balancing; without this key"
              + " the arm has the coordinators of `client`, and the driver neither avoids nor"
              + " repeats anything");

  /** The same on a cluster of the user, where all arms have the driver's own defaults. */
  public static final Key OWN_KEY =
      Key.optional(
          "driver",
          SECTION,
          "what the driver does about slow nodes; without this key, as the driver is shipped");

  private ArmDriver() {}

  static DriverSettings read(Part driver) {
    long speculative = driver.number("speculative-execution");
    return new DriverSettings(
        Coordinators.DRIVER_DEFAULT,
        driver.word("slow-avoidance").equals("on"),
        speculative == Values.BY_ITSELF ? 0 : speculative);
  }

  /** By the names of the keys. */
  public static Map<String, Object> values(DriverSettings driver) {
    long speculative = driver.speculativeNanos();
    return YamlText.ordered(
        "slow-avoidance", driver.slowAvoidance() ? "on" : "off",
        "speculative-execution", speculative == 0 ? Values.BY_ITSELF : speculative);
  }
}
