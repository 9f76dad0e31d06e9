/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.policy.config.ConfigNode;
import java.time.Duration;

/**
 * {@code invalidations: { statistics: ... }}: {@code statistics}, the address of a statistics
 * server, its {@code secret-file} and {@code timeout}, {@code application}, and {@code interval}
 * (100 ms).
 */
public final class StatisticsChannelKind implements ChannelKind {
  /** Creates an instance, for a registry. */
  public StatisticsChannelKind() {}

  @Override
  public String name() {
    return "statistics";
  }

  @Override
  public InvalidationChannel read(ConfigNode node) {
    StatisticsAddress address = StatisticsAddress.read(node, "statistics");
    ConfigNode application = node.at("application");
    if (!application.text().matches(StatisticsInvalidations.NAME)) {
      throw application.refuse("1 to 64 letters, digits, '.', '_', '-'");
    }
    Duration interval =
        node.find("interval")
            .map(n -> Duration.ofNanos(n.durationNanos(10_000_000, 2_000_000_000L)))
            .orElse(StatisticsInvalidations.INTERVAL);
    return new StatisticsInvalidations(address, application.text(), interval);
  }
}
