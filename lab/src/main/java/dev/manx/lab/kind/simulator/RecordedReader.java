/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import static dev.manx.lab.experiment.YamlText.ordered;

import dev.manx.lab.kind.simulator.SourceReader.Described;
import dev.manx.policy.config.ConfigNode;
import dev.manx.simulator.recorded.RecordedLogs;
import dev.manx.simulator.recorded.RecordedSpec;
import dev.manx.workload.Arrivals;
import dev.manx.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads {@code workload: { kind: recorded }}: requests of decision logs. */
final class RecordedReader {
  private static final long LARGE = 64 << 10;

  private RecordedReader() {}

  static Described read(ConfigNode node, Path file) {
    ConfigNode names = node.at("logs");
    RecordedLogs logs = new RecordedLogs();
    for (ConfigNode name : names.items()) {
      Path log = file.toAbsolutePath().resolveSibling(name.text());
      logs.add(log.toString(), mapped(name, log));
    }
    if (names.items().isEmpty()) {
      throw names.refuse("at least one decision log");
    }
    int large = (int) (long) node.find("large-from").map(n -> n.bytes(1, 1 << 30)).orElse(LARGE);
    int narrow =
        node.find("narrow-to")
            .map(n -> (int) n.integer(1, SourceReader.WIDEST))
            .orElse(WorkloadSpec.NARROW_MAX_READS);
    node.noOtherKeys();
    try {
      return new Described(
          new RecordedSpec(logs.recording(), large),
          Arrivals.POISSON,
          0,
          narrow,
          ordered(
              "kind",
              "recorded",
              "logs",
              names.items().stream().map(ConfigNode::text).toList(),
              "large-from",
              large + "B",
              "narrow-to",
              narrow));
    } catch (IllegalArgumentException e) {
      throw names.refuse("logs of nodes that executed reads: " + e.getMessage());
    }
  }

  /** The bytes of a log, whose pages are read when they are needed. */
  private static MappedByteBuffer mapped(ConfigNode name, Path log) {
    if (!Files.isRegularFile(log)) {
      throw name.refuse("a decision log of a node (looked for " + log + ")");
    }
    try (FileChannel channel = FileChannel.open(log)) {
      return channel.map(FileChannel.MapMode.READ_ONLY, 0, channel.size());
    } catch (IOException e) {
      throw name.refuse("a readable file: " + e);
    }
  }
}
