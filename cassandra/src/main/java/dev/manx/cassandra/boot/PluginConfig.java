/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

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
 * @param severityPriceNanos how much longer a read would rather wait than go to a node of severity
 *     1
 * @param metricsTables tables whose requests have metrics of their own
 * @param canary which requests Manx acts on
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
    long rackPriceNanos,
    long severityPriceNanos,
    int metricsTables,
    CanaryConfig canary) {

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
  static final String CANARY = "canary";

  private static final Setting CALM =
      Setting.duration(
          CALM_AFTER,
          "250ms",
          "0",
          "1h",
          "when no read has waited at any node for this long, requests are left to"
              + " stock until one waits; 0: never");

  static final List<Setting> SETTINGS =
      List.of(
          Setting.word("mode", "mode after start-up", "off", "shadow", "on").withStandard("shadow"),
          Setting.text(
              "kill-file",
              "manx.off",
              ".+",
              "a path",
              "while this file exists Manx is off; the default is in the folder of manx.yaml"),
          Setting.whole(
              "unpage-up-to",
              256,
              0,
              100_000,
              "multigets of up to this many keys are read in parallel when the result"
                  + " provably fits one page; 0: none"),
          Setting.whole(
              "widest-request", 10_000, 1, 100_000, "requests with more keys are left to stock"),
          Setting.whole("nodes", 1_024, 1, 10_000, "most endpoints that are known at a time"),
          Setting.whole(
              "outstanding",
              65_536,
              64,
              1 << 22,
              "most reads that count as outstanding at a time; at most an eighth of the heap"),
          Setting.flag("learn-from-writes", true, "whether the size oracle learns from writes"),
          CALM,
          Setting.duration(
              "rack-price",
              "0",
              "0",
              "1min",
              "how much longer a read waits rather than leave its coordinator's rack, in"
                  + " addition to the time of the way"),
          Setting.duration(
              "severity-price",
              "1s",
              "0",
              "1h",
              "how much longer a read waits rather than go to a node whose severity an operator"
                  + " has set to 1 over JMX, at 0.5 half as long; 0: severity is ignored"),
          Setting.whole(
              "metrics-tables",
              32,
              0,
              1_000,
              "most tables whose requests have a set of metrics of their own; the others share"
                  + " one set. All sets together may use at most an eighth of the heap"));

  static final List<Setting> BREAKER =
      List.of(
          Setting.whole(
              "failures",
              10,
              1,
              1_000_000,
              "throwables of Manx's own code within `window` that switch it off"),
          Setting.duration("window", "10s", "1ns", "1h", "time within which the throwables count"),
          Setting.duration(
              "retry-after",
              "1min",
              "0",
              "24h",
              "an open breaker lets Manx try again after this; 0: never"));

  /** Of multigets read in parallel that stock would have paged; beyond, stock's paging. */
  static final List<Setting> IN_FLIGHT =
      List.of(
          Setting.whole("keys", 16_384, 1, 1 << 24, "most keys at a time on this coordinator"),
          Setting.size(
              "bytes", "64MiB", "1B", "1TiB", "most forecast bytes at a time on this coordinator"));

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
    return (Long) CALM.read(node);
  }

  static PluginConfig read(ConfigNode top, Path defaultKillFile) {
    ConfigNode node = section(top, "plugin");
    ConfigNode breaker = section(node, "breaker");
    ConfigNode inFlight = section(node, "in-flight");
    Values own = Values.read(SETTINGS, node);
    Values breaking = Values.read(BREAKER, breaker);
    Values flying = Values.read(IN_FLIGHT, inFlight);
    PluginConfig config =
        new PluginConfig(
            Mode.of(own.word("mode")).orElseThrow(),
            node.find("kill-file").map(n -> Path.of(n.text())).orElse(defaultKillFile),
            own.whole("unpage-up-to"),
            own.whole("widest-request"),
            own.whole("nodes"),
            own.whole("outstanding"),
            breaking.whole("failures"),
            breaking.number("window"),
            breaking.number("retry-after"),
            flying.whole("keys"),
            flying.number("bytes"),
            own.flag("learn-from-writes"),
            own.number(CALM_AFTER),
            own.number("rack-price"),
            own.number("severity-price"),
            own.whole("metrics-tables"),
            node.find(CANARY).map(CanaryConfig::read).orElse(CanaryConfig.ALL));
    breaker.noOtherKeys();
    inFlight.noOtherKeys();
    node.noOtherKeys();
    return config;
  }

  /** A mapping that may be left out. */
  private static ConfigNode section(ConfigNode parent, String key) {
    return parent.find(key).orElseGet(() -> ConfigNode.parse(parent.file(), "none: {}").at("none"));
  }
}
