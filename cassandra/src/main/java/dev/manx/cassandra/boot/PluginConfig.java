/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The {@code plugin:} section of {@code manx.yaml}. All settings have defaults; a wrong one is
 * refused with file, line, key, value and range.
 *
 * @param mode the mode after start-up
 * @param killFile while this file exists, Manx is off
 * @param unpageUpTo multigets of up to this many keys that provably fit one page are read in
 *     parallel; 0 for none. Their rows are in memory together.
 * @param widestRequest requests with more keys are left to stock
 * @param nodes most endpoints known at a time
 * @param outstanding most reads counted as outstanding at a time
 * @param breakerFailures faults that open the breaker
 * @param breakerWindowNanos the time within which they must fall
 * @param breakerRetryNanos how long an open breaker waits before it tries again; 0 for ever
 * @param keysInFlight most keys of unpaged multigets that this coordinator has in flight at a time
 * @param bytesInFlight most bytes, as forecast, of the same
 * @param learnFromWrites whether the size oracle learns from writes that pass by
 * @param calmAfterNanos time without a waiting read at any node after which requests are left to
 *     stock until one waits again; 0 for never
 * @param rackPriceNanos how much longer a read would rather wait than leave the coordinator's rack,
 *     on top of what the way there takes
 */
public record PluginConfig(
    Mode mode,
    Path killFile,
    int unpageUpTo,
    int widestRequest,
    int nodes,
    int outstanding,
    int breakerFailures,
    long breakerWindowNanos,
    long breakerRetryNanos,
    int keysInFlight,
    long bytesInFlight,
    boolean learnFromWrites,
    long calmAfterNanos,
    long rackPriceNanos) {

  /**
   * A file as read.
   *
   * @param file where it was read from
   * @param plugin the {@code plugin:} section
   * @param record the {@code record:} section
   * @param strategy the {@code strategy:} section, if there is one
   */
  public record Loaded(
      String file, PluginConfig plugin, RecordConfig record, Optional<ConfigNode> strategy) {}

  static final String CALM_AFTER = "calm-after";

  private static final long MAX_NANOS = TimeUnit.HOURS.toNanos(1);

  /**
   * Reads a file.
   *
   * @throws ConfigException if it cannot be read or a setting is refused
   */
  public static Loaded load(Path file) {
    String text;
    try {
      text = Files.readString(file);
    } catch (IOException e) {
      throw new ConfigException(file.toString(), 0, "", e.toString(), "a readable YAML file");
    }
    ConfigNode top = ConfigNode.parse(file.toString(), text);
    Optional<ConfigNode> strategy = top.find("strategy");
    PluginConfig plugin = read(top, file.toAbsolutePath().resolveSibling("manx.off"));
    RecordConfig record = RecordConfig.read(top, file.toAbsolutePath());
    top.noOtherKeys();
    return new Loaded(file.toString(), plugin, record, strategy);
  }

  static long calmAfterNanos(ConfigNode node) {
    return node.durationNanos(0, MAX_NANOS);
  }

  static PluginConfig read(ConfigNode top, Path defaultKillFile) {
    ConfigNode node =
        top.find("plugin").orElseGet(() -> ConfigNode.parse(top.file(), "none: {}").at("none"));
    ConfigNode breaker =
        node.find("breaker").orElseGet(() -> ConfigNode.parse(top.file(), "none: {}").at("none"));
    ConfigNode inFlight =
        node.find("in-flight").orElseGet(() -> ConfigNode.parse(top.file(), "none: {}").at("none"));
    PluginConfig config =
        new PluginConfig(
            node.find("mode")
                .map(n -> Mode.of(n.oneOf("off", "shadow", "on")).orElseThrow())
                .orElse(Mode.SHADOW),
            node.find("kill-file").map(n -> Path.of(n.text())).orElse(defaultKillFile),
            node.find("unpage-up-to").map(n -> (int) n.integer(0, 100_000)).orElse(256),
            node.find("widest-request").map(n -> (int) n.integer(1, 100_000)).orElse(10_000),
            node.find("nodes").map(n -> (int) n.integer(1, 10_000)).orElse(1_024),
            node.find("outstanding").map(n -> (int) n.integer(64, 1 << 22)).orElse(65_536),
            breaker.find("failures").map(n -> (int) n.integer(1, 1_000_000)).orElse(10),
            breaker.find("window").map(n -> n.durationNanos(1, MAX_NANOS)).orElse(10_000_000_000L),
            breaker
                .find("retry-after")
                .map(n -> n.durationNanos(0, 24 * MAX_NANOS))
                .orElse(60_000_000_000L),
            inFlight.find("keys").map(n -> (int) n.integer(1, 1 << 24)).orElse(16_384),
            inFlight.find("bytes").map(n -> n.bytes(1, 1L << 40)).orElse(64L << 20),
            node.find("learn-from-writes").map(ConfigNode::flag).orElse(true),
            node.find(CALM_AFTER).map(PluginConfig::calmAfterNanos).orElse(1_000_000_000L),
            node.find("rack-price").map(n -> n.durationNanos(0, 60_000_000_000L)).orElse(0L));
    breaker.noOtherKeys();
    inFlight.noOtherKeys();
    node.noOtherKeys();
    return config;
  }
}
