/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.YamlText;
import dev.manx.load.CassandraSettings.Coordinators;
import dev.manx.load.DriverSettings;
import dev.manx.policy.config.ConfigNode;
import java.util.Map;

/** An arm's key {@code driver}: the driver as people run it, with what it does about slow nodes. */
public final class ArmDriver {
  private static final long LEAST_NANOS = 100_000;
  private static final long MOST_NANOS = 60_000_000_000L;

  private ArmDriver() {}

  static DriverSettings read(ConfigNode node) {
    boolean avoids =
        node.find("slow-avoidance").map(n -> n.oneOf("on", "off").equals("on")).orElse(true);
    long speculative =
        node.find("speculative-execution")
            .map(n -> n.text().equals("off") ? 0L : n.durationNanos(LEAST_NANOS, MOST_NANOS))
            .orElse(0L);
    node.noOtherKeys();
    return new DriverSettings(Coordinators.DRIVER_DEFAULT, avoids, speculative);
  }

  /** As it is read. */
  public static Map<String, Object> written(DriverSettings driver) {
    return YamlText.ordered(
        "slow-avoidance", driver.slowAvoidance() ? "on" : "off",
        "speculative-execution",
            driver.speculativeNanos() == 0 ? "off" : YamlText.nanos(driver.speculativeNanos()));
  }
}
