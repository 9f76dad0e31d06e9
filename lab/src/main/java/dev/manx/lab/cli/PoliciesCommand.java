/* SPDX-License-Identifier: Apache-2.0 */
package dev.manx.lab.cli;

import dev.manx.lab.reference.Registry;
import dev.manx.lab.reference.SettingsTables;
import dev.manx.lab.reference.StrategySchema;
import dev.manx.policy.config.Setting;
import dev.manx.policy.spi.PolicyInfo;
import dev.manx.policy.strategy.Host;
import dev.manx.policy.strategy.Presets;
import dev.manx.policy.strategy.Strategy;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code manx policies}: lists the registry. */
@Command(
    name = "policies",
    mixinStandardHelpOptions = true,
    description = {
      "Lists every policy: name, summary, source, and where it can act.",
      "Use these names in a strategy. docs/operate/policy-settings.md lists the settings.",
      "With a name it prints that policy's settings, or the full document of a preset."
    })
final class PoliciesCommand implements Callable<Integer> {
  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "A policy such as order.boost, or a preset such as manx.")
  private String name;

  @Option(names = "--settings", description = "Every setting of every policy, as Markdown.")
  private boolean settings;

  @Option(
      names = "--schema",
      description =
          "A JSON schema of manx.yaml, of strategies and of the client library's settings, for"
              + " editors that check YAML.")
  private boolean schema;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    if (settings && schema || name != null && (settings || schema)) {
      throw new ParameterException(
          spec.commandLine(), "give only one of NAME, --settings and --schema");
    }
    Terminal terminal = new Terminal();
    if (settings) {
      terminal.line(SettingsTables.page(Registry.all()).stripTrailing());
    } else if (schema) {
      terminal.line(StrategySchema.of(Registry.all()).toPrettyString());
    } else if (name == null) {
      list(terminal);
    } else if (Presets.find(name).isPresent()) {
      terminal.line("# " + Presets.find(name).get().summary());
      terminal.line(document(name).stripTrailing());
    } else {
      settings(terminal, Registry.find(name).orElseThrow(this::unknown));
    }
    return 0;
  }

  private ParameterException unknown() {
    return new ParameterException(
        spec.commandLine(),
        "unknown name '"
            + name
            + "'; presets: "
            + Presets.names()
            + "; ./manx policies lists the policies");
  }

  /** The document as the simulator reads it, because that supports all policies. */
  private static String document(String preset) {
    return Strategy.parse("preset", "strategy: " + preset, Host.simulator(() -> 0, () -> 0))
        .document();
  }

  private static void settings(Terminal terminal, PolicyInfo policy) {
    terminal.line(policy.name() + ": " + policy.summary());
    for (Setting setting : policy.settings()) {
      terminal.line(
          String.format(
              Locale.ROOT,
              "  %s: %s  # %s; %s",
              setting.name(),
              setting.write(setting.standard()),
              setting.meaning(),
              setting.range()));
    }
  }

  private static void list(Terminal terminal) {
    String family = "";
    for (PolicyInfo policy : Registry.all()) {
      if (!policy.family().equals(family)) {
        if (!family.isEmpty()) {
          terminal.line("");
        }
        family = policy.family();
      }
      terminal.line(
          String.format(
              Locale.ROOT,
              "%-26s %s%n%26s source: %s; acts at: %s",
              policy.name(),
              policy.summary(),
              "",
              policy.source(),
              policy.places().stream()
                  .map(place -> place.name().toLowerCase(Locale.ROOT))
                  .sorted()
                  .collect(Collectors.joining(", "))));
    }
    terminal.line("");
    for (Presets.Preset preset : Presets.all()) {
      terminal.line(
          String.format(Locale.ROOT, "%-26s %s", "strategy: " + preset.name(), preset.summary()));
    }
  }
}
