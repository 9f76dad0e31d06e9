/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.cluster;

import dev.manx.lab.experiment.YamlText;
import dev.manx.load.Background;
import dev.manx.policy.config.ConfigNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Reads and writes {@code background:}. */
final class BackgroundReader {
  private static final double FASTEST = 1e6;
  private static final int MOST_ROWS = 10_000;

  private BackgroundReader() {}

  static Background read(ConfigNode node) {
    Optional<ConfigNode> scans = node.find("scans");
    Optional<ConfigNode> index = node.find("index-reads");
    Optional<ConfigNode> writes = node.find("writes");
    Background background =
        new Background(
            scans.map(BackgroundReader::rate).orElse(0.0),
            scans.map(BackgroundReader::rows).orElse(1),
            index.map(BackgroundReader::rate).orElse(0.0),
            index.map(BackgroundReader::rows).orElse(1),
            writes.map(BackgroundReader::rate).orElse(0.0));
    scans.ifPresent(ConfigNode::noOtherKeys);
    index.ifPresent(ConfigNode::noOtherKeys);
    writes.ifPresent(ConfigNode::noOtherKeys);
    node.noOtherKeys();
    if (background.rates().isEmpty()) {
      throw node.refuse("scans, index-reads or writes, each with a rate");
    }
    return background;
  }

  private static double rate(ConfigNode kind) {
    return kind.at("rate").perSecond(0.1, FASTEST);
  }

  private static int rows(ConfigNode kind) {
    return (int) kind.at("rows").integer(1, MOST_ROWS);
  }

  static Map<String, Object> written(Background background) {
    Map<String, Object> out = new LinkedHashMap<>();
    if (background.scansPerSecond() > 0) {
      out.put("scans", kind(background.scansPerSecond(), background.scanRows()));
    }
    if (background.indexReadsPerSecond() > 0) {
      out.put("index-reads", kind(background.indexReadsPerSecond(), background.indexRows()));
    }
    if (background.writesPerSecond() > 0) {
      out.put("writes", YamlText.ordered("rate", background.writesPerSecond() + "/s"));
    }
    return out;
  }

  private static Map<String, Object> kind(double perSecond, int rows) {
    return YamlText.ordered("rate", perSecond + "/s", "rows", rows);
  }
}
