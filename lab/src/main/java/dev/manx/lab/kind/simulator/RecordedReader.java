/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.kind.simulator;

import dev.manx.lab.experiment.DecisionLogFile;
import dev.manx.lab.experiment.NamedFiles;
import dev.manx.lab.experiment.WorkloadReader;
import dev.manx.lab.kind.simulator.SourceReader.Described;
import dev.manx.lab.settings.Key;
import dev.manx.lab.settings.Part;
import dev.manx.lab.settings.Section;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.config.ConfigNode;
import dev.manx.policy.config.Setting;
import dev.manx.simulator.recorded.ArrivalTimes;
import dev.manx.simulator.recorded.RecordedLogs;
import dev.manx.simulator.recorded.RecordedLogs.Kept;
import dev.manx.simulator.recorded.RecordedSpec;
import dev.manx.workload.Arrivals;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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

  /** A log that lacks a larger part of its lines or plans shows another workload. */
  private static final double MOST_LOST = 0.1;

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
    Map<String, String> words = new LinkedHashMap<>();
    List<String> doubts = new ArrayList<>();
    for (Kept log : logs.kept()) {
      words.put("requests of " + log.file(), log.used() + " of " + log.plans() + " plans");
      doubts.addAll(doubts(log));
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
          part.whole("narrow-to"),
          words,
          doubts);
    } catch (IllegalArgumentException e) {
      throw names.refuse("logs that can be played: " + e.getMessage());
    }
  }

  /** The missing parts of a log, in sentences; a log that lacks much is refused. */
  private static List<String> doubts(Kept log) {
    List<String> doubts = new ArrayList<>();
    if (log.damaged() > 0) {
      String why = "%d of %d lines are damaged and were left out; of this one, the first, %s";
      if (log.damaged() > MOST_LOST * log.lines()) {
        throw ConfigException.because(
            log.file(),
            (int) log.firstDamaged(),
            "",
            "damaged",
            why.formatted(log.damaged(), log.lines(), log.why()));
      }
      doubts.add(
          log.file()
              + ":"
              + log.firstDamaged()
              + ": "
              + why.formatted(log.damaged(), log.lines(), log.why()));
    }
    if (log.used() < log.plans()) {
      String why =
          "%d of %d plans were left out, of which this is the first: they are damaged, or have a read"
              + " without replicas or at a node that no line N names";
      long unused = log.plans() - log.used();
      if (unused > MOST_LOST * log.plans()) {
        throw ConfigException.because(
            log.file(),
            (int) log.firstUnused(),
            "",
            "unusable",
            why.formatted(unused, log.plans()));
      }
      doubts.add(log.file() + ":" + log.firstUnused() + ": " + why.formatted(unused, log.plans()));
    }
    return doubts;
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
