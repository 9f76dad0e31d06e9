/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.cassandra.record;

import dev.manx.policy.config.ConfigNode;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The {@code record:} section of {@code manx.yaml}: the decision log.
 *
 * @param on whether decisions are recorded after start-up
 * @param file the log
 * @param maxBytes the log ends at this size
 * @param sample part of the decisions that are recorded
 */
public record RecordConfig(boolean on, Path file, long maxBytes, double sample) {
  static final double LEAST_SAMPLE = 1e-6;

  private static final String NAME = "manx-decisions.log";
  private static final long KIB = 1024;

  /**
   * Reads the section; without it decisions are not recorded until somebody asks for it.
   *
   * @param top the whole document
   * @param beside where the log goes unless said otherwise, if Cassandra has no folder for logs
   * @throws dev.manx.policy.config.ConfigException if a setting is refused
   */
  public static RecordConfig read(ConfigNode top, Path beside) {
    ConfigNode node =
        top.find("record").orElseGet(() -> ConfigNode.parse(top.file(), "none: {}").at("none"));
    RecordConfig config =
        new RecordConfig(
            node.find("mode").map(n -> n.oneOf("off", "on").equals("on")).orElse(false),
            node.find("file").map(n -> Path.of(n.text())).orElseGet(() -> standard(beside)),
            node.find("max-size")
                .map(n -> n.bytes(64 * KIB, KIB * KIB * KIB))
                .orElse(16 * KIB * KIB),
            node.find("sample").map(n -> n.fraction(LEAST_SAMPLE, 1)).orElse(0.01));
    node.noOtherKeys();
    return config;
  }

  private static Path standard(Path beside) {
    return Optional.ofNullable(System.getProperty("cassandra.logdir"))
        .map(folder -> Path.of(folder, NAME))
        .orElseGet(() -> beside.resolveSibling(NAME));
  }

  /** The same with another sample. */
  RecordConfig withSample(double part) {
    return new RecordConfig(on, file, maxBytes, part);
  }
}
