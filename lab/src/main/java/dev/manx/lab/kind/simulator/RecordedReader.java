/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.DecisionLogFile;
import dev.manx.lab.experiment.NamedFiles;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.kind.simulator.SourceReader.Described;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.simulator.recorded.ArrivalTimes;
import dev.manx.simulator.recorded.RecordedLogs;
import dev.manx.simulator.recorded.RecordedSpec;
import dev.manx.workload.Arrivals;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;

/** Reads {@code workload: { kind: recorded }}: requests of decision logs. */
final class RecordedReader {
  private static final Key ARRIVALS =
      Key.of(
          Setting.choice(
              "arrivals",
              ArrivalTimes.class,
              "Poisson, or at the recorded times, in blocks of the recording drawn at random"));

  static final Section SECTION =
      Section.of(
          Key.requiredItems(
              Setting.anyText("logs", null, "files of decision logs, next to the experiment")),
          ARRIVALS,
          SourceReader.LARGE_FROM,
          WorkloadReader.NARROW_TO);

  private RecordedReader() {}

  static Described read(Part part, NamedFiles files) {
    ConfigNode names = part.node("logs");
    RecordedLogs logs = new RecordedLogs();
    for (ConfigNode name : names.items()) {
      Path log = files.path(name);
      logs.add(log.toString(), mapped(name, log));
    }
    if (names.items().isEmpty()) {
      throw names.refuse("at least one decision log");
    }
    part.put("logs", names.items().stream().map(files::used).toList());
    try {
      return new Described(
          new RecordedSpec(
              logs.recording(),
              part.whole("large-from"),
              part.choice("arrivals", ArrivalTimes.class)),
          Arrivals.POISSON,
          0,
          part.whole("narrow-to"));
    } catch (IllegalArgumentException e) {
      throw names.refuse("logs that can be played: " + e.getMessage());
    }
  }

  /** The bytes of a log; its pages are read on demand. */
  private static MappedByteBuffer mapped(ConfigNode name, Path log) {
    try {
      return DecisionLogFile.map(log)
          .orElseThrow(() -> name.refuse(DecisionLogFile.ALLOWED + " (looked for " + log + ")"));
    } catch (IOException e) {
      throw name.refuse("a readable file: " + e);
    }
  }
}
