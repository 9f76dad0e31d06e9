/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.boot;

import dev.manx.cassandra.canary.CanaryConfig;
import dev.manx.cassandra.control.Mode;
import dev.manx.cassandra.record.RecordConfig;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.NodeSettings;
import dev.manx.policy.config.Setting;
import dev.manx.policy.config.Values;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The {@code plugin:} section of {@code manx.yaml}. All settings have defaults; a wrong one is
 * refused with file, line, key, value and range.
 *
 * @param mode the mode after start-up
 * @param killFile while this file exists, Manx is off
 * @param unpageUpTo multigets of up to this many keys that provably fit one page are read in
 *     parallel; 0 for none. Their rows are in memory together.
 * @param widestRequest requests with more keys than this are left to stock
 * @param nodes most endpoints known at one time
 * @param outstanding most reads counted as outstanding at a time
 * @param breakerFailures faults that open the breaker
 * @param breakerWindowNanos the time within which they must occur
 * @param breakerRetryNanos how long an open breaker waits before it tries again; 0 for no retry
 * @param keysInFlight most keys of unpaged multigets that this coordinator has in flight at a time
 * @param bytesInFlight most forecast bytes of these multigets
 * @param learnFromWrites whether the size oracle learns from writes
 * @param holdRetries whether stock's speculative retries wait while their reads only wait
 * @param calmAfterNanos time without a waiting read at any node after which requests are left to
 *     stock until one waits again; 0 for never
 * @param rackPriceNanos how much longer a read waits in the coordinator's rack before it leaves it,
 *     in addition to the network time
 * @param severityPriceNanos how much longer a read waits elsewhere before it goes to a node of
 *     severity 1
 * @param metricsTables most tables whose requests have separate metrics
 * @param canary the requests that Manx acts on
 * @param persistedFile the file of switches that survive a restart
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
    boolean holdRetries,
    long calmAfterNanos,
    long rackPriceNanos,
    long severityPriceNanos,
    int metricsTables,
    CanaryConfig canary,
    Path persistedFile) {

  /**
   * A configuration file's contents.
   *
   * @param file the file's path
   * @param plugin the {@code plugin:} section
   * @param record the {@code record:} section
   * @param strategy the {@code strategy:} section, if present
   */
  public record Loaded(
      String file, PluginConfig plugin, RecordConfig record, Optional<ConfigNode> strategy) {}

  static final String CALM_AFTER = NodeSettings.CALM_AFTER.name();
  static final String CANARY = NodeSettings.CANARY_SECTION;

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
      throw ConfigException.unreadable(file.toString(), FileWords.why(e));
    }
    ConfigNode top = ConfigNode.parse(file.toString(), text);
    Optional<ConfigNode> strategy = top.find("strategy");
    PluginConfig plugin = read(top, file.toAbsolutePath());
    RecordConfig record = RecordConfig.read(top, file.toAbsolutePath());
    top.noOtherKeys();
    return new Loaded(file.toString(), plugin, record, strategy);
  }

  static long calmAfterNanos(ConfigNode node) {
    return (Long) NodeSettings.CALM_AFTER.read(node);
  }

  /** Returns these settings with other values for those that can be switched on a running node. */
  PluginConfig with(Mode otherMode, long otherCalmAfterNanos, CanaryConfig otherCanary) {
    return new PluginConfig(
        otherMode,
        killFile,
        unpageUpTo,
        widestRequest,
        nodes,
        outstanding,
        breakerFailures,
        breakerWindowNanos,
        breakerRetryNanos,
        keysInFlight,
        bytesInFlight,
        learnFromWrites,
        holdRetries,
        otherCalmAfterNanos,
        rackPriceNanos,
        severityPriceNanos,
        metricsTables,
        otherCanary,
        persistedFile);
  }

  /** Returns these settings with another's values for those that only a restart can change. */
  PluginConfig withFixedOf(PluginConfig other) {
    return new PluginConfig(
        mode,
        killFile,
        unpageUpTo,
        widestRequest,
        other.nodes,
        other.outstanding,
        breakerFailures,
        breakerWindowNanos,
        breakerRetryNanos,
        keysInFlight,
        bytesInFlight,
        learnFromWrites,
        holdRetries,
        calmAfterNanos,
        rackPriceNanos,
        severityPriceNanos,
        metricsTables,
        canary,
        other.persistedFile);
  }

  /**
   * Reads the section.
   *
   * @param file the configuration; relative paths start at its folder
   */
  static PluginConfig read(ConfigNode top, Path file) {
    ConfigNode node = section(top, NodeSettings.PLUGIN_SECTION);
    ConfigNode breaker = section(node, NodeSettings.BREAKER_SECTION);
    ConfigNode inFlight = section(node, NodeSettings.IN_FLIGHT_SECTION);
    Values own = Values.read(NodeSettings.PLUGIN, node);
    Values breaking = Values.read(NodeSettings.BREAKER, breaker);
    Values flying = Values.read(NodeSettings.IN_FLIGHT, inFlight);
    PluginConfig config =
        new PluginConfig(
            Mode.of(own.word("mode")).orElseThrow(),
            killFile(top, file),
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
            own.flag("hold-retries"),
            own.number(CALM_AFTER),
            own.number("rack-price"),
            own.number("severity-price"),
            own.whole("metrics-tables"),
            node.findGiven(CANARY).map(CanaryConfig::read).orElse(CanaryConfig.ALL),
            path(node, NodeSettings.PERSISTED_FILE, file));
    breaker.noOtherKeys();
    inFlight.noOtherKeys();
    node.noOtherKeys();
    return config;
  }

  /** The kill file that a configuration names, whatever else it contains; as {@link #read}. */
  static Path killFile(ConfigNode top, Path file) {
    return path(section(top, NodeSettings.PLUGIN_SECTION), NodeSettings.KILL_FILE, file);
  }

  /**
   * A relative path is resolved against the configuration's folder, wherever the node was started.
   */
  private static Path path(ConfigNode node, Setting setting, Path file) {
    return file.resolveSibling((String) setting.readOr(node, setting.standard()));
  }

  /** An optional mapping. */
  private static ConfigNode section(ConfigNode parent, String key) {
    return parent.find(key).orElseGet(() -> ConfigNode.parse(parent.file(), "none: {}").at("none"));
  }
}
