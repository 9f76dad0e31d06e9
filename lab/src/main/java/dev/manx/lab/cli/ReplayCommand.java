/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.experiment.DecisionLogFile;
import dev.manx.policy.config.ConfigException;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.StrategyFile;
import dev.manx.simulator.replay.LogState;
import dev.manx.simulator.replay.Replay;
import dev.manx.simulator.replay.WhatIf;
import dev.manx.workload.RequestClass;
import dev.manx.workload.WorkloadSpec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code manx replay}: repeats a node's decisions. */
@Command(
    name = "replay",
    mixinStandardHelpOptions = true,
    description = {
      "Repeats the decisions of a node's decision log, and compares.",
      "It uses the strategy that made them. Exit code 0 if all are equal, 1 if one differs or is damaged, or if the log has none. With --strategy, it prints instead how often another strategy would have decided differently with the same knowledge."
    },
    footer = {
      "",
      "On the node:  UPDATE manx.strategy SET value = '5%%' WHERE name = 'record';",
      "              UPDATE manx.strategy SET value = 'off' WHERE name = 'record';",
      "Then:         ./manx replay manx-decisions.log",
      "              ./manx replay manx-decisions.log --strategy rein",
      "docs/operate/decision-log.md explains the format of the log and its use."
    })
final class ReplayCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "A decision log.")
  private Path file;

  @Option(
      names = "--strategy",
      paramLabel = "NAME|FILE",
      description =
          "Another strategy: a preset, or a YAML file, of which only the key `strategy` is read; a"
              + " node's manx.yaml is such a file.")
  private String other;

  @Option(
      names = "--narrow-max",
      paramLabel = "N",
      description =
          "With --strategy: the widest request that counts as narrow (default: "
              + WorkloadSpec.NARROW_MAX_READS
              + ").")
  private Integer narrowMax;

  @Spec private CommandSpec spec;

  private final Terminal terminal = new Terminal();

  @Override
  public Integer call() throws IOException {
    int narrowMaxReads = narrowMaxReads();
    ByteBuffer log = mapped();
    return other == null ? again(log) : otherwise(log, text(), narrowMaxReads);
  }

  private int narrowMaxReads() {
    if (narrowMax == null) {
      return WorkloadSpec.NARROW_MAX_READS;
    }
    if (other == null) {
      throw new ParameterException(spec.commandLine(), "--narrow-max needs --strategy");
    }
    if (narrowMax < 1) {
      throw new ConfigException(
          "replay", 0, "--narrow-max", narrowMax.toString(), "a whole number from 1");
    }
    return narrowMax;
  }

  private int again(ByteBuffer log) {
    Replay.Result result = Replay.of(file.toString(), log, this::progress);
    state(result.log());
    terminal.line(
        "plans       %s, decided the same again: %s"
            .formatted(count(result.plans()), count(result.equalPlans())));
    terminal.line(
        "dispatches  %s, decided the same again: %s"
            .formatted(count(result.dispatches()), count(result.equalDispatches())));
    result.differences().forEach(difference -> terminal.line("differs: " + difference));
    if (result.plans() + result.dispatches() == 0) {
      terminal.line(
          "The log has no decisions: Manx was in mode off, or the recorded share was too small;"
              + " record again in mode shadow or on, or a larger share.");
      return ExitCode.SOFTWARE;
    }
    return result.isEqual() ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private int otherwise(ByteBuffer log, String document, int narrowMaxReads) {
    StrategyFile.of(other, document).ignored().ifPresent(terminal::line);
    WhatIf.Result result =
        WhatIf.of(file.toString(), log, other, document, narrowMaxReads, this::progress);
    state(result.log());
    terminal.line("");
    terminal.line("With " + other + " and the node's knowledge at each decision:");
    terminal.line(row("class", "requests", "changed", "reads", "elsewhere"));
    for (Map.Entry<RequestClass, WhatIf.Changed> entry : result.classes().entrySet()) {
      WhatIf.Changed changed = entry.getValue();
      terminal.line(
          row(
              entry.getKey().label(),
              count(changed.requests()),
              share(changed.changedRequests(), changed.requests()),
              count(changed.reads()),
              share(changed.changedReads(), changed.reads())));
    }
    terminal.line(
        "dispatches: another read first in %s of %s"
            .formatted(
                share(result.changedDispatches(), result.dispatches()),
                count(result.dispatches())));
    terminal.line("");
    terminal.line(
        "Policies that learn from answers started without data, and learned from "
            + count(result.answers())
            + " answers in this log.");
    terminal.line("This shows how often the two disagree, not which of them is faster.");
    return result.log().damaged() == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
  }

  private void progress(double share) {
    terminal.now(String.format(Locale.ROOT, "replaying: %.0f %%", 100 * share));
  }

  private void state(LogState log) {
    terminal.line(
        "decision log of %s, begun %s, %s of the decisions, %s lines; %s"
            .formatted(
                log.head().about().get("node"),
                log.head().about().get("started"),
                String.format(Locale.ROOT, "%.4g%%", 100 * log.head().sample()),
                count(log.lines()),
                log.end().isEmpty() ? "not closed, perhaps still being written" : log.end()));
    if (log.cut()) {
      terminal.line("The last line is incomplete and was left out.");
    }
    if (log.damaged() > 0) {
      terminal.line(
          "%s lines are damaged and were left out; the first is line %d."
              .formatted(count(log.damaged()), log.firstDamaged()));
    }
  }

  private ByteBuffer mapped() throws IOException {
    return DecisionLogFile.map(file)
        .orElseThrow(
            () ->
                new ConfigException("replay", 0, "FILE", file.toString(), DecisionLogFile.ALLOWED));
  }

  private String text() throws IOException {
    if (Presets.find(other).isPresent()) {
      return "strategy: " + other;
    }
    try {
      if (Files.isRegularFile(Path.of(other))) {
        return Files.readString(Path.of(other));
      }
    } catch (CharacterCodingException e) {
      // not text, so not YAML either
    }
    throw new ConfigException(
        "replay",
        0,
        "--strategy",
        other,
        "a readable YAML file with a strategy, or a preset: " + Presets.names());
  }

  private static String row(String... cells) {
    return String.format(
        Locale.ROOT, "%-8s %12s %9s %12s %11s", cells[0], cells[1], cells[2], cells[3], cells[4]);
  }

  private static String share(long part, long whole) {
    return whole == 0 ? "-" : String.format(Locale.ROOT, "%.1f %%", 100.0 * part / whole);
  }

  private static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value).replace(',', ' ');
  }
}
