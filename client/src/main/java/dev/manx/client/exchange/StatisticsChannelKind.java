/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.client.exchange;

import dev.manx.client.config.Durations;
import dev.manx.client.invalidation.ChannelKind;
import dev.manx.client.invalidation.InvalidationChannel;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

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
  public List<Setting> settings() {
    return Stream.concat(
            StatisticsAddress.SETTINGS.stream(), Stream.of(StatisticsInvalidations.POLL))
        .toList();
  }

  @Override
  public InvalidationChannel read(ConfigNode node) {
    StatisticsAddress address = StatisticsAddress.read(node, "statistics");
    String application = (String) APPLICATION.read(node.at(APPLICATION.name()));
    Duration interval =
        Durations.readOr(StatisticsInvalidations.POLL, node, StatisticsInvalidations.INTERVAL);
    return new StatisticsInvalidations(address, application, interval);
  }
}
