/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.boot.PluginConfig.Loaded;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Blueprint;
import dev.manx.policy.strategy.Host;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings in this node's file, checked against the node's limits; nothing is built.
 *
 * @param file the file's path
 * @param strategy only stock decisions if the file has no strategy
 */
record Configured(String file, PluginConfig plugin, RecordConfig record, Blueprint strategy) {
  /**
   * Reads the file.
   *
   * @throws ConfigException if it is refused
   */
  static Configured read(Path path) {
    Loaded loaded = PluginConfig.load(path);
    Host host = Host.node(System::nanoTime);
    Blueprint strategy =
        loaded
            .strategy()
            .map(node -> Blueprint.of(node, host))
            .orElseGet(() -> Blueprint.parse("none", "strategy: {}", host));
    return new Configured(loaded.file(), loaded.plugin(), loaded.record(), strategy).judged();
  }

  private Configured judged() {
    NodeLimits.check(file, plugin);
    NodeLimits.check(file, strategy);
    return this;
  }

  /**
   * Returns the settings with persisted switches applied. A file with {@code mode: off} keeps that
   * mode.
   *
   * @throws ConfigException if the persisted switches are refused
   */
  Configured with(PersistedRows persisted) {
    Optional<Blueprint> other = persisted.strategy(System::nanoTime);
    // Errors of limits name the node's own file.
    other.ifPresent(blueprint -> NodeLimits.check(persisted.top().file(), blueprint));
    return new Configured(
            file, persisted.plugin(plugin), persisted.record(record), other.orElse(strategy))
        .judged();
  }
}
