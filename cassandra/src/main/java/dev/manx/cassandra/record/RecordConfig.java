/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.NodeSettings;
import dev.manx.policy.config.Units;
import dev.manx.policy.config.Values;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The {@code record:} section of {@code manx.yaml}: the decision log.
 *
 * @param on whether decisions are recorded after start-up
 * @param file the log
 * @param maxBytes the log ends at this size
 * @param sample part of the decisions that are recorded
 * @param requestsOnly whether only requests and executed reads are recorded: neither the ordering
 *     of the queue, which takes most of the space, nor the inputs from which policies learn
 * @param sampleOfFile the sample of {@code manx.yaml}, which the switch {@code on} uses
 */
public record RecordConfig(
    boolean on,
    Path file,
    long maxBytes,
    double sample,
    boolean requestsOnly,
    double sampleOfFile) {
  private static final String REQUESTS = "requests";
  private static final String NAME = (String) NodeSettings.LOG_FILE.standard();

  /**
   * Reads the section; without it decisions are recorded only after a switch on the node.
   *
   * @param top the whole document
   * @param configFile the configuration: a relative path starts at its folder if Cassandra has no
   *     log folder
   * @throws dev.manx.policy.config.ConfigException if a setting is refused
   */
  public static RecordConfig read(ConfigNode top, Path configFile) {
    ConfigNode node =
        top.find(NodeSettings.RECORD_SECTION)
            .orElseGet(() -> ConfigNode.parse(top.file(), "none: {}").at("none"));
    Values values = Values.read(NodeSettings.RECORD, node);
    RecordConfig config =
        new RecordConfig(
            values.word("mode").equals("on"),
            path(values.word(NodeSettings.LOG_FILE.name()), configFile),
            values.number("max-size"),
            values.real("sample"));
    node.noOtherKeys();
    return config;
  }

  private static Path path(String name, Path configFile) {
    return Optional.ofNullable(System.getProperty("cassandra.logdir"))
        .map(folder -> Path.of(folder).resolve(name))
        .orElseGet(() -> configFile.resolveSibling(name));
  }

  /** Settings without a file, only for validation. */
  public static final RecordConfig NONE = new RecordConfig(false, Path.of(NAME), 0, 1);

  /** Creates the settings of a file. */
  public RecordConfig(boolean on, Path file, long maxBytes, double sample) {
    this(on, file, maxBytes, sample, false, sample);
  }

  /** The allowed values of the switch, for messages. */
  static final String ALLOWED =
      "off, on, a share from 0.0001% to 100%, requests, or requests and a share";

  /**
   * Returns the settings after a switch by an operator.
   *
   * @param value {@code off}; {@code on}; the part of the decisions to record, such as {@code 5%};
   *     or {@code requests}, also with a part, such as {@code requests 5%}
   * @return empty if it is none of these
   */
  public Optional<RecordConfig> switched(String value) {
    if (value.equals("off") || value.equals("on")) {
      return Optional.of(with(value.equals("on"), sampleOfFile, false));
    }
    boolean requests = value.equals(REQUESTS) || value.startsWith(REQUESTS + " ");
    String share = requests ? value.substring(REQUESTS.length()).strip() : value;
    double part = requests && share.isEmpty() ? 1 : Units.fraction(share).orElse(-1);
    return part >= NodeSettings.SAMPLE.min() && part <= 1
        ? Optional.of(with(true, part, requests))
        : Optional.empty();
  }

  private RecordConfig with(boolean on, double sample, boolean requestsOnly) {
    return new RecordConfig(on, file, maxBytes, sample, requestsOnly, sampleOfFile);
  }

  /** Whether a log of these settings is also one of others; the file's own sample is for later. */
  boolean isSameLog(RecordConfig other) {
    return on == other.on
        && file.equals(other.file)
        && maxBytes == other.maxBytes
        && sample == other.sample
        && requestsOnly == other.requestsOnly;
  }

  /** The value for which {@link #switched} returns these settings. */
  public String text() {
    if (!on) {
      return "off";
    }
    String share =
        BigDecimal.valueOf(sample).scaleByPowerOfTen(2).stripTrailingZeros().toPlainString() + "%";
    return requestsOnly ? REQUESTS + " " + share : share;
  }

  /**
   * Returns the settings after a switch by an operator.
   *
   * @param node where the value was read, for the error
   * @throws dev.manx.policy.config.ConfigException if the value is not allowed
   */
  public RecordConfig switched(String value, ConfigNode node) {
    return switched(value).orElseThrow(() -> node.refuse(ALLOWED));
  }
}
