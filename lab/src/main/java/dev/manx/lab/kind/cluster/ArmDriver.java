/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.load.CassandraSettings.Coordinators;
import dev.manx.load.DriverSettings;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;

/**
 * An arm's key {@code driver}: the driver as applications use it, with its handling of slow nodes.
 */
public final class ArmDriver {
  private static final Section SECTION =
      Section.of(
          Key.of(Setting.word("slow-avoidance", "whether it avoids slow nodes", "on", "off")),
          Key.of(
              Setting.durationOr(
                  "off",
                  "speculative-execution",
                  "1ms",
                  "1min",
                  "a request is sent to a second coordinator after this time, of whole"
                      + " milliseconds")));

  public static final Key KEY =
      Key.optional(
          "driver",
          SECTION,
          "the driver as it is shipped, with its own token-aware load balancing; without this key "
              + "the arm has the coordinators of `client`, and the driver neither avoids slow "
              + "nodes nor repeats requests");

  /** The key on a user's cluster, where all arms have the driver's defaults. */
  public static final Key OWN_KEY =
      Key.optional(
          "driver",
          SECTION,
          "the driver's handling of slow nodes; without this key, the driver's defaults");

  private static final long MILLISECOND = 1_000_000;

  private ArmDriver() {}

  static DriverSettings read(Part driver) {
    long speculative = driver.number("speculative-execution");
    if (speculative != Values.BY_ITSELF && speculative % MILLISECOND != 0) {
      throw driver
          .node("speculative-execution")
          .refuse("whole milliseconds, because the driver drops parts of one");
    }
    return new DriverSettings(
        Coordinators.DRIVER_DEFAULT,
        driver.word("slow-avoidance").equals("on"),
        speculative == Values.BY_ITSELF ? 0 : speculative);
  }
}
